package io.berth.scheduler.decision;

import io.berth.scheduler.host.HostState;
import io.berth.scheduler.request.RequestSpec;
import java.util.ArrayList;
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
 * The same by a replica that decided for such requests before: what was selected is a new host state by the next
 * request, and so are seven others, whose instances came and went.
 */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
public class RepeatedDecisionBenchmark {
    @Param({"1000 hosts", "10000 hosts", "1000 hosts, pinned", "1000 hosts, accelerator", "1000 hosts, 10 instances"})
    public String situation;

    private List<HostState> hosts;
    private Supplier<RequestSpec> requests;
    private SchedulingInputs inputs;
    private int change;

    @Setup
    public void build() {
        int count = situation.startsWith("10000") ? 10_000 : 1_000;
        hosts = new ArrayList<>(switch (situation) {
            case "1000 hosts, pinned" -> Fleets.numa(count);
            case "1000 hosts, accelerator" -> Fleets.pci(count);
            default -> Fleets.flat(count);
        });
        requests = switch (situation) {
            case "1000 hosts, pinned" -> Requests::pinned;
            case "1000 hosts, accelerator" -> Requests::accelerator;
            case "1000 hosts, 10 instances" -> () -> Requests.plain(10);
            default -> () -> Requests.plain(1);
        };
        inputs = Classes.remembering();
    }

    @Benchmark
    public Decision decide() {
        Decision decision = Decision.decide(requests.get(), hosts, true, inputs);
        if (decision.result() != Decision.Result.SELECTED) {
            throw new IllegalStateException(situation + ": " + decision.error());
        }
        for (int i = 0; i < 8; i++) {
            change(i == 0 ? selected(decision) : Math.floorMod(change * 7919, hosts.size()));
        }
        return decision;
    }

    private static int selected(Decision decision) {
        return Integer.parseInt(decision.selections().getFirst().getFirst().host().substring("host-".length()));
    }

    private void change(int position) {
        HostState host = hosts.get(position);
        long used = (host.vcpusUsed() + ++change % 5) % 60;
        hosts.set(position, host.toBuilder()
                .vcpusUsed(used)
                .freeRamMb(host.totalUsableRamMb() - 4096 * used)
                .freeDiskMb(1024 * (4000 - 20 * used))
                .build());
    }
}
