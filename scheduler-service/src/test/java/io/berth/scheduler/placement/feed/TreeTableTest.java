package io.berth.scheduler.placement.feed;

import static org.assertj.core.api.Assertions.assertThat;

import io.berth.scheduler.LiveHeap;
import io.berth.scheduler.host.registry.snapshot.Registries;
import io.berth.scheduler.host.registry.snapshot.RegistrySnapshot;
import io.berth.scheduler.host.states.HostSources;
import io.berth.scheduler.host.states.HostTable;
import io.berth.scheduler.placement.candidate.AllocationCandidates;
import io.berth.scheduler.placement.candidate.FleetPosition;
import io.berth.scheduler.placement.candidate.ProviderSummary;
import io.berth.scheduler.placement.candidate.ProviderTree;
import io.berth.scheduler.placement.candidate.QueryParts;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Tests the table of known provider trees: eviction, accounting and heap estimate. */
class TreeTableTest {
    private static final FleetPosition MOMENT = new FleetPosition("A", 1);
    private static final int ONE = TreeTable.TREE_BYTES + TreeTable.PROVIDER_BYTES;

    private static ReceivedTree small(long id) {
        return new ReceivedTree(id, id, new long[] {id}, new ProviderTree(
                "p" + id, List.of(new ProviderSummary("p" + id, "p" + id, Map.of(), false))));
    }

    @Test
    void evictsTheLeastRecentlyUsedTrees() {
        var table = new TreeTable(16 * ONE);
        for (int id = 1; id <= 16; id++) {
            table.countResponse();
            table.learn(small(id), MOMENT);
        }
        table.countResponse();
        for (int id = 1; id <= 8; id++) {
            assertThat(table.find(id, id, MOMENT)).isNotNull();
        }
        table.learn(small(17), MOMENT);
        assertThat(IntStream.rangeClosed(1, 17).filter(id -> table.find(id, id, MOMENT) == null))
                .as("an eighth, plus the excess").containsExactly(9, 10, 11);
        assertThat(table.bytes()).isEqualTo(14L * ONE);
    }

    @Test
    void countsATreeOnceHoweverOftenItIsReceived() {
        var table = new TreeTable(1 << 20);
        for (int position = 1; position < 9; position++) {
            table.learn(small(1), new FleetPosition("A", position));
            table.learn(small(1), new FleetPosition("B", position));
            table.learn(new ReceivedTree(2, position, new long[] {2, 3}, small(2).tree()),
                    new FleetPosition("A", position));
        }
        assertThat(table.size()).isEqualTo(2);
        assertThat(table.bytes()).isEqualTo(2L * ONE + TreeTable.PROVIDER_BYTES);
    }

    /** Covers trees of one provider and of many, with and without registered hosts. */
    @ParameterizedTest(name = "{0} children, registered: {1}")
    @CsvSource({"0, true", "0, false", "8, true"})
    void aTreeTakesNoMoreHeapThanEstimated(int children, boolean registered) throws Exception {
        int count = 4_000;
        var edits = new Registries();
        for (int i = 0; registered && i < count; i++) {
            edits.computeNode(uuid(100L * i), "{\"host\":\"host-%1$d\",\"vcpus_total\":64}".formatted(i));
            edits.instance(uuid(1L << 40 | i), "{\"host\":\"host-%1$d\",\"nodename\":\"host-%1$d\"}".formatted(i));
        }
        RegistrySnapshot registry = edits.snapshot();
        long before = LiveHeap.bytes();
        var table = new TreeTable(Long.MAX_VALUE);
        var hosts = new HostTable();
        var sources = new HostSources(registry, Map.of(), Duration.ofSeconds(60));
        for (int i = 0; i < count; i++) {
            ReceivedTree tree = table.learn(parsed(100L * i, children), MOMENT);
            var answer = new AllocationCandidates(
                    new ProviderTree[] {tree.tree()}, null, new QueryParts(List.of(), List.of()));
            assertThat(hosts.find(answer, sources, null, 1).states()).hasSize(1);
        }
        long taken = LiveHeap.bytes() - before;
        System.out.printf(
                "bytes of heap per tree of %d providers: %d, reckoned %d%n", 1 + children, taken / count,
                table.bytes() / count);
        assertThat(taken).isLessThanOrEqualTo(table.bytes());
        assertThat(hosts).isNotNull();
    }

    /** Returns a tree whose root has three resource classes and whose children have two. */
    private static ReceivedTree parsed(long id, int children) throws IOException {
        String some = "\"VCPU\":{\"capacity\":512,\"used\":%d},\"MEMORY_MB\":{\"capacity\":387072,\"used\":%d}"
                .formatted(id % 60, 4_096 * (id % 60));
        List<String> providers = LongStream.rangeClosed(id, id + children)
                .mapToObj(each -> """
                        {"id":%d,"uuid":"%s","parent":%s,"resources":{%s},"traits":["HW_CPU_X86_AVX2"]}""".formatted(
                        each, uuid(each), each == id ? "null" : id,
                        each == id ? some + ",\"DISK_GB\":{\"capacity\":2000,\"used\":1}" : some))
                .toList();
        String body = "{\"replica\":\"A\",\"position\":1,\"trees\":[{\"id\":%d,\"version\":%d,\"providers\":%s}]}"
                .formatted(id, id, providers);
        return ReferencesParser.parseTrees(body.getBytes(StandardCharsets.UTF_8)).trees().getFirst();
    }

    private static String uuid(long number) {
        return new UUID(0x4000L, Long.MIN_VALUE | number).toString();
    }
}
