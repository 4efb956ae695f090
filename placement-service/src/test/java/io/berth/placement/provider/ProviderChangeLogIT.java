package io.berth.placement.provider;

import static io.berth.deploy.process.Await.eventually;
import static io.berth.placement.CatalogueApi.at;
import static io.berth.placement.CatalogueApi.newProvider;
import static org.assertj.core.api.Assertions.assertThat;

import io.berth.deploy.postgres.PostgresForTests;
import io.berth.deploy.process.LogLines;
import io.quarkus.test.common.QuarkusTestResource;
import io.quarkus.test.junit.QuarkusTest;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Tests the log lines for changes of inventories, traits and aggregates. */
@QuarkusTest
@QuarkusTestResource(PostgresForTests.class)
class ProviderChangeLogIT {
    private static final String BY_ADMIN = " user: admin project: admin request_id: req-[0-9a-f-]+ ";

    private final LogLines log = LogLines.of("io.berth.changes");

    @AfterEach
    void closeLog() {
        log.close();
    }

    private static void put(UUID host, String part, int generation, String members) {
        at("1.39", "{\"resource_provider_generation\": " + generation + ", " + members + "}")
                .put("/resource_providers/" + host + part).then().statusCode(200);
    }

    private void assertLogs(UUID host, String... patterns) {
        eventually(() -> {
            List<String> mine = log.lines().stream().filter(line -> line.contains(host.toString())).toList();
            assertThat(mine).hasSize(patterns.length);
            for (int i = 0; i < patterns.length; i++) {
                assertThat(mine.get(i)).matches(patterns[i]);
            }
        });
    }

    @Test
    void logsInventoryChangesWithUserAndOldValue() {
        UUID host = newProvider();
        String of = " of host-" + host + " \\(" + host + "\\)";
        String vcpus = "\"VCPU\": {\"total\": 8, \"allocation_ratio\": 4.0}";
        put(host, "/inventories", 0, "\"inventories\": {" + vcpus + ", \"DISK_GB\": {\"total\": 10}}");
        put(host, "/inventories", 1, "\"inventories\": {" + vcpus + "}");
        put(host, "/inventories/VCPU", 2, "\"total\": 8, \"allocation_ratio\": 16");
        // These two requests log nothing: one changes nothing, the other is refused.
        put(host, "/inventories/VCPU", 3, "\"total\": 8, \"allocation_ratio\": 16");
        at("1.39", "{\"resource_provider_generation\": 3, \"total\": 9}")
                .put("/resource_providers/" + host + "/inventories/VCPU").then().statusCode(409);
        at("1.39").delete("/resource_providers/" + host + "/inventories").then().statusCode(204);
        assertLogs(
                host,
                "inventory DISK_GB" + of + " added" + BY_ADMIN + "old: - new: \\{\"total\":10,.*",
                "inventory VCPU" + of + " added" + BY_ADMIN
                        + "old: - new: \\{\"total\":8,.*\"allocation_ratio\":4\\.0}",
                "inventory DISK_GB" + of + " removed" + BY_ADMIN + "old: \\{\"total\":10,.*} new: -",
                "inventory VCPU" + of + " changed" + BY_ADMIN
                        + "old: \\{\"total\":8,.*\"allocation_ratio\":4\\.0} new:"
                        + " \\{\"total\":8,.*\"allocation_ratio\":16\\.0}",
                "inventory VCPU" + of + " removed" + BY_ADMIN + "old: \\{.*\"allocation_ratio\":16\\.0} new: -");
    }

    @Test
    void logsInventoryChangesOfAReshape() {
        UUID host = newProvider();
        put(host, "/inventories", 0, "\"inventories\": {\"VCPU\": {\"total\": 8}, \"DISK_GB\": {\"total\": 10}}");
        String body = """
                {"inventories": {"%s": {"resource_provider_generation": %d, "inventories": {"VCPU": {"total": 16}}}},
                 "allocations": {}}""";
        at("1.39", body.formatted(host, 7)).post("/reshaper").then().statusCode(409);
        at("1.39", body.formatted(host, 1)).post("/reshaper").then().statusCode(204);
        assertLogs(
                host,
                "inventory DISK_GB of .* added .*",
                "inventory VCPU of .* added .*",
                "inventory DISK_GB of .* removed" + BY_ADMIN + "old: \\{\"total\":10,.*} new: -",
                "inventory VCPU of .* changed" + BY_ADMIN + "old: \\{\"total\":8,.*} new: \\{\"total\":16,.*}");
    }

    @Test
    void logsTraitAndAggregateChanges() {
        UUID host = newProvider();
        UUID aggregate = UUID.randomUUID();
        put(host, "/traits", 0, "\"traits\": [\"HW_CPU_X86_VMX\", \"HW_CPU_X86_AVX\"]");
        at("1.39").delete("/resource_providers/" + host + "/traits").then().statusCode(204);
        put(host, "/aggregates", 2, "\"aggregates\": [\"" + aggregate + "\"]");
        assertLogs(
                host,
                "traits of .* old: \\[] new: \\[HW_CPU_X86_AVX, HW_CPU_X86_VMX]",
                "traits of .* old: \\[HW_CPU_X86_AVX, HW_CPU_X86_VMX] new: \\[]",
                "aggregates of .* old: \\[] new: \\[" + aggregate + "]");
    }
}
