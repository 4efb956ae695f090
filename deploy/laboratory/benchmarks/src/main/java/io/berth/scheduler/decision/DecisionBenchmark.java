package io.berth.scheduler.decision;

import io.berth.scheduler.host.HostState;
import io.berth.scheduler.request.RequestSpec;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;

/**
 * Measures one decision with alternates on host states in memory: building the request spec, the filters and weighers
 * of {@link BenchmarkInputs}, and the ranking. Excludes placement, claims and records. In the situations named
 * "explained", the decision also keeps all hosts of each stage and all rejections.
 */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
public class DecisionBenchmark {
    @Param({"1000 hosts", "1000 hosts: explained", "5000 hosts", "10000 hosts", "10000 hosts: explained",
        "1000 hosts: extra specs", "1000 hosts: NUMA", "1000 hosts: pinned", "1000 hosts: accelerator",
        "1000 hosts: anti-affinity", "1000 hosts: 10 instances"})
    public String situation;

    private List<HostState> hosts;
    private Supplier<RequestSpec> requests;
    private SchedulingInputs inputs;

    @Setup
    public void build() {
        int count = Integer.parseInt(situation.substring(0, situation.indexOf(' ')));
        hosts = switch (situation) {
            case "1000 hosts: extra specs" -> Fleets.inRacks(count);
            case "1000 hosts: NUMA", "1000 hosts: pinned" -> Fleets.numa(count);
            case "1000 hosts: accelerator" -> Fleets.pci(count);
            case "1000 hosts: anti-affinity" -> Fleets.withInstances(count);
            default -> Fleets.flat(count);
        };
        requests = switch (situation) {
            case "1000 hosts: extra specs" -> Requests::withExtraSpecs;
            case "1000 hosts: NUMA" -> Requests::floating;
            case "1000 hosts: pinned" -> Requests::pinned;
            case "1000 hosts: accelerator" -> Requests::accelerator;
            case "1000 hosts: anti-affinity" -> Requests::antiAffine;
            case "1000 hosts: 10 instances" -> () -> Requests.plain(10);
            default -> () -> Requests.plain(1);
        };
        inputs = BenchmarkInputs.inputs(situation.endsWith("explained")
                ? SchedulingInputs.Detail.HOSTS
                : SchedulingInputs.Detail.COUNTS);
    }

    @Benchmark
    public Decision decide() {
        Decision decision = Decision.decide(requests.get(), hosts, true, inputs);
        if (decision.result() != Decision.Result.SELECTED) {
            throw new IllegalStateException(situation + ": " + decision.error());
        }
        return decision;
    }
}
