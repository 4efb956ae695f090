package io.berth.placement.overview;

import static io.berth.placement.candidate.search.FleetBuilder.aFleet;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.berth.placement.candidate.search.FleetBuilder;
import io.berth.placement.candidate.search.FleetBuilder.Stock;
import io.berth.placement.fleet.FleetView;
import io.berth.placement.http.Json;
import java.io.ByteArrayOutputStream;
import java.time.Instant;
import java.util.Iterator;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Tests the response that lists a fleet in columns. */
class FleetColumnsTest {
    private static final int MANY_TREES = 12_000;
    private static final int MANY_CLASSES = 150;

    /** Each tree has VCPU and one of many classes. */
    private static FleetView ofManyClasses() {
        FleetBuilder fleet = aFleet();
        for (int i = 0; i < MANY_TREES; i++) {
            fleet.root("host-" + i).used("VCPU", 8 + i % 3, i % 2).inventory("CUSTOM_" + i % MANY_CLASSES, i);
        }
        return fleet.view();
    }

    private static byte[] whole(Iterator<byte[]> parts) {
        var bytes = new ByteArrayOutputStream();
        parts.forEachRemaining(bytes::writeBytes);
        return bytes.toByteArray();
    }

    private static JsonNode json(FleetView view) {
        return Json.parse(whole(new FleetColumns(view, Instant.EPOCH).chunks().get()));
    }

    private static List<String> column(JsonNode json, String path) {
        JsonNode column = json.at("/resource_classes/" + path);
        return IntStream.range(0, column.size()).mapToObj(i -> column.get(i).toString()).toList();
    }

    @Test
    void writesZeroForClassesThatATreeLacks() {
        JsonNode json = json(aFleet()
                .root("a").inventory("VCPU", new Stock(8, 2, 1, 8, 1, 1.5, 3)).child("a1").inventory("VCPU", 4)
                .root("b").inventory("MEMORY_MB", 64)
                .root("c")
                .root("d").used("VCPU", 2, 1).used("MEMORY_MB", 32, 5)
                .view());
        assertThat(json.get("name").toString()).isEqualTo("[\"a\",\"b\",\"c\",\"d\"]");
        assertThat(column(json, "VCPU/capacity")).containsExactly("13", "0", "0", "2");
        assertThat(column(json, "VCPU/used")).containsExactly("3", "0", "0", "1");
        assertThat(column(json, "VCPU/allocation_ratio")).containsExactly("1.5", "0.0", "0.0", "1.0");
        assertThat(column(json, "MEMORY_MB/capacity")).containsExactly("0", "64", "0", "32");
        assertThat(column(json, "MEMORY_MB/used")).containsExactly("0", "0", "0", "5");
    }

    @Test
    void writesFleetsWithoutTreesOrClasses() {
        assertThat(json(aFleet().view()).get("resource_classes").toString()).isEqualTo("{}");
        assertThat(json(aFleet().root("a").view()).get("resource_classes").toString()).isEqualTo("{}");
    }

    @Test
    void writesAWholeDocumentInChunks() {
        JsonNode json = json(ofFewClasses());
        assertThat(json.get("uuid")).hasSize(MANY_TREES);
        assertThat(column(json, "VCPU/capacity")).hasSize(MANY_TREES).startsWith("8", "9", "10", "8")
                .endsWith("8", "9", "10");
        assertThat(column(json, "VCPU/used")).hasSize(MANY_TREES).startsWith("0", "1", "0").endsWith("1", "0", "1");
        assertThat(column(json, "CUSTOM_1/capacity")).hasSize(MANY_TREES).startsWith("0", "1", "0")
                .endsWith("0", "11999");
    }

    private static FleetView ofFewClasses() {
        FleetBuilder fleet = aFleet();
        for (int i = 0; i < MANY_TREES; i++) {
            fleet.root("host-" + i).used("VCPU", 8 + i % 3, i % 2);
            if (i % 2 == 1) {
                fleet.inventory("CUSTOM_1", i);
            }
        }
        return fleet.view();
    }

    /** Regression test: 12,000 trees with 150 classes took 43 MB for zeros, and as much again for their text. */
    @Test
    void usesLittleMemoryForClassesThatFewTreesHave() {
        FleetColumns columns = new FleetColumns(ofManyClasses(), Instant.EPOCH);
        assertThat(columns.heldBytes()).isBetween(MANY_TREES * 40L, MANY_TREES * 80L);
        Iterator<byte[]> parts = columns.chunks().get();
        parts.next();
        assertThat(parts).toIterable().allSatisfy(part -> assertThat(part.length).isLessThan(100_000));
    }
}
