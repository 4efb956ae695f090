package io.berth.scheduler.host.states;

import io.berth.scheduler.host.HostState;
import io.berth.scheduler.host.registry.snapshot.RegistrySnapshot;
import io.berth.scheduler.placement.candidate.AllocationCandidates;
import io.berth.scheduler.placement.candidate.AllocationRequest;
import io.berth.scheduler.placement.candidate.ProviderSummary;
import io.berth.scheduler.placement.candidate.RootCandidates;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;

/**
 * Measures building host states from parsed allocation candidates, for hosts without a record in the scheduler's
 * registry (services and compute nodes).
 */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
public class HostStatesBenchmark {
    private static final Duration DOWN_TIME = Duration.ofSeconds(60);

    @Param({"1000", "10000"})
    public int hostCount;

    private List<RootCandidates> roots;
    private Map<String, String> names;
    private final HostTable earlierStates = new HostTable();
    private int changeCount;

    @Setup
    public void build() {
        roots = new ArrayList<>();
        names = new HashMap<>();
        for (int i = 0; i < hostCount; i++) {
            String uuid = new UUID(0x4000L, 0x8000000000000000L | i).toString();
            names.put(uuid, "host-" + i);
            roots.add(root(uuid, i % 60));
        }
    }

    private static RootCandidates root(String uuid, long used) {
        var request = new AllocationRequest(
                Map.of(uuid, Map.of("VCPU", 2L, "MEMORY_MB", 4096L, "DISK_GB", 20L)), Map.of("", List.of(uuid)));
        var summary = new ProviderSummary(uuid, uuid, Map.of(
                "VCPU", new ProviderSummary.Usage(64, used),
                "MEMORY_MB", new ProviderSummary.Usage(262_144, 4096 * used),
                "DISK_GB", new ProviderSummary.Usage(4000, 20 * used)), false);
        return new RootCandidates(uuid, List.of(summary), List.of(request));
    }

    /** Builds all states, as for the first request to a scheduler. */
    @Benchmark
    public List<HostState> first() {
        return HostStates.build(
                new AllocationCandidates(roots), RegistrySnapshot.EMPTY, names, DOWN_TIME, null);
    }

    /**
     * Builds the states of eight changed provider trees, and takes all other states from the table of earlier states,
     * which the first call fills.
     */
    @Benchmark
    public List<HostState> next() {
        for (int i = 0; i < 8; i++) {
            int position = Math.floorMod(++changeCount * 7919, roots.size());
            roots.set(position, root(roots.get(position).tree().rootUuid(), Math.floorMod(changeCount, 60)));
        }
        var sources = new HostSources(RegistrySnapshot.EMPTY, names, DOWN_TIME);
        return earlierStates.find(new AllocationCandidates(roots), sources, null, Integer.MAX_VALUE).states();
    }
}
