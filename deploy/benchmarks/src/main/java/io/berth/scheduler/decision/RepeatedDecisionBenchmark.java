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
 * The same by a replica that decided for such requests before: what was selected is a new host state by the next request,
 * and so are so many others, whose instances came and went.
 */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
public class RepeatedDecisionBenchmark {
    @Param({"1000 hosts, 8 changed", "10000 hosts, 8 changed", "1000 hosts, 8 changed, pinned",
            "1000 hosts, 8 changed, 10 instances"})
    public String situation;

    private List<HostState> hosts;
    private Supplier<RequestSpec> requests;
    private SchedulingInputs inputs;
    private int change;

    @Setup
    public void build() {
        int count = situation.startsWith("10000") ? 10_000 : 1_000;
        hosts = new ArrayList<>(situation.endsWith("pinned") ? Fleets.numa(count) : Fleets.flat(count));
        requests = situation.endsWith("pinned")
                ? Requests::pinned
                : () -> Requests.plain(situation.endsWith("10 instances") ? 10 : 1);
        inputs = Classes.remembering();
    }

    @Benchmark
    public Decision decide() {
        Decision decision = Decision.decide(requests.get(), hosts, true, inputs);
        if (decision.result() != Decision.Result.SELECTED) {
            throw new IllegalStateException(situation + ": " + decision.error());
        }
        for (int i = 0; i < 8; i++) {
            change(i == 0 ? selected(decision) : (change * 7919) % hosts.size());
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
