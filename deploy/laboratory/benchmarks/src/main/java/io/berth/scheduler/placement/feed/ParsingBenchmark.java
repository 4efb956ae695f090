package io.berth.scheduler.placement.feed;

import io.berth.scheduler.placement.candidate.AllocationCandidates;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
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

/** Measures parsing a response of {@code GET /allocation_candidates}, in which a host takes about 0.5 kB. */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
public class ParsingBenchmark {
    @Param({"1000", "10000"})
    public int hostCount;

    private byte[] response;

    @Setup
    public void build() {
        var requests = new StringBuilder();
        var summaries = new StringBuilder();
        for (int i = 0; i < hostCount; i++) {
            String uuid = new UUID(0x4000L, 0x8000000000000000L | i).toString();
            String comma = i == 0 ? "" : ",";
            requests.append(comma).append("""
                    {"allocations":{"%s":{"resources":{"VCPU":2,"MEMORY_MB":4096,"DISK_GB":20}}},\
                    "mappings":{"":["%s"]}}""".formatted(uuid, uuid));
            summaries.append(comma).append("""
                    "%s":{"resources":{"VCPU":{"capacity":512,"used":%d},"MEMORY_MB":{"capacity":387072,"used":%d},\
                    "DISK_GB":{"capacity":2000,"used":%d}},"traits":["HW_CPU_X86_AVX2","CUSTOM_BENCH_3"],\
                    "parent_provider_uuid":null,"root_provider_uuid":"%s"}"""
                    .formatted(uuid, i % 60, 4096 * (i % 60), 20 * (i % 60), uuid));
        }
        response = ("{\"allocation_requests\":[" + requests + "],\"provider_summaries\":{" + summaries + "}}")
                .getBytes(StandardCharsets.UTF_8);
    }

    @Benchmark
    public AllocationCandidates parse() throws IOException {
        AllocationCandidates candidates = CandidatesParser.parseCandidates(response);
        if (candidates.roots().size() != hostCount) {
            throw new IllegalStateException(candidates.roots().size() + " hosts");
        }
        return candidates;
    }
}
