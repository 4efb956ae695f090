package io.berth.scheduler.placement.feed;

import io.berth.scheduler.placement.candidate.AllocationCandidates;
import io.smallrye.mutiny.Uni;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;

/**
 * Measures parsing a response of {@code GET /berth/v1/candidates} into candidates. For each host, the response has 21
 * bytes, which refer to a provider tree that the scheduler has cached. Eight of the trees are also in the response in
 * full, as trees that have changed are.
 */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
public class ReferencesBenchmark {
    @Param({"1000", "10000"})
    public int hostCount;

    /** The cache of trees, whose size in bytes is not limited. */
    private final TreeExchange trees = new TreeExchange(() -> Long.MAX_VALUE);
    private byte[] response;

    @Setup
    public void build() throws IOException {
        ByteBuffer references = ByteBuffer.allocate(16 * hostCount);
        for (int i = 0; i < hostCount; i++) {
            references.putLong(i).putLong(i * 31L);
        }
        response = ("{\"replica\":\"A\",\"position\":7,"
                + "\"parts\":[{\"group\":\"\",\"resources\":{\"VCPU\":2,\"MEMORY_MB\":4096}}],"
                + "\"classes\":[\"VCPU\",\"MEMORY_MB\"],\"trees\":\""
                + Base64.getEncoder().encodeToString(references.array())
                + "\",\"requests\":[],\"changed\":[" + trees(0, 8) + "]}").getBytes(StandardCharsets.UTF_8);
        byte[] allTrees = ("{\"replica\":\"A\",\"position\":6,\"trees\":[" + trees(0, hostCount) + "]}")
                .getBytes(StandardCharsets.UTF_8);
        // Fills the cache: the trees that the response does not contain in full are parsed from allTrees.
        trees.resolve(ReferencesParser.parse(response), ids -> Uni.createFrom().item(() -> {
            try {
                return ReferencesParser.parseTrees(allTrees);
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        })).await().indefinitely();
    }

    private static String trees(int from, int to) {
        return IntStream.range(from, to)
                .mapToObj(i -> """
                        {"id":%d,"version":%d,"providers":[{"id":%d,"uuid":"%s","parent":null,"resources":{\
                        "VCPU":{"capacity":512,"used":%d},"MEMORY_MB":{"capacity":387072,"used":%d},\
                        "DISK_GB":{"capacity":2000,"used":%d}},"traits":["HW_CPU_X86_AVX2","CUSTOM_BENCH_3"]}]}"""
                        .formatted(i, i * 31L, i, new UUID(0x4000L, Long.MIN_VALUE | i), i % 60, 4096 * (i % 60),
                                20 * (i % 60)))
                .collect(Collectors.joining(","));
    }

    @Benchmark
    public AllocationCandidates candidates() throws IOException {
        AllocationCandidates candidates = trees.resolve(ReferencesParser.parse(response), missingTrees -> {
            throw new IllegalStateException("trees are missing from the cache: " + missingTrees);
        }).await().indefinitely();
        if (candidates.treeCount() != hostCount) {
            throw new IllegalStateException(candidates.treeCount() + " trees");
        }
        return candidates;
    }
}
