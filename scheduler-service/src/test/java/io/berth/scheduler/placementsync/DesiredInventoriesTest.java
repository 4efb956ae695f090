package io.berth.scheduler.placementsync;

import static org.assertj.core.api.Assertions.assertThat;

import io.berth.scheduler.config.InventoryOptions;
import io.berth.scheduler.config.OptionSource;
import io.berth.scheduler.config.Options;
import io.berth.scheduler.host.registry.ProviderReport;
import io.berth.scheduler.host.registry.snapshot.Registries;
import java.util.HashMap;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/** Tests the inventories that the placement sync derives from a node's report. */
class DesiredInventoriesTest {
    private static final String NODE = "aaaaaaaa-aaaa-4aaa-8aaa-aaaaaaaaaaaa";
    private static final String THREE =
            "\"VCPU\":{\"total\":16},\"MEMORY_MB\":{\"total\":65536},\"DISK_GB\":{\"total\":100}";

    private static ProviderReport report(String inventories, String more) {
        return new Registries()
                .computeNode(NODE, "{\"host\":\"h\",\"inventories\":{" + inventories + "}" + more + "}")
                .snapshot()
                .findComputeNode(UUID.fromString(NODE))
                .provider();
    }

    private static InventoryOptions options(String... namesAndValues) {
        Map<String, String> stated = new HashMap<>();
        for (int i = 0; i < namesAndValues.length; i += 2) {
            stated.put(OptionSource.key("DEFAULT", namesAndValues[i]), namesAndValues[i + 1]);
        }
        return Options.parse(OptionSource.ofText(stated::get)).defaults().inventory();
    }

    @Test
    void usesInitialRatiosAndReservedAmountsForNewInventories() {
        assertThat(DesiredInventories.of(Map.of(), report(THREE, ""), options())).isEqualTo(Map.of(
                "VCPU", new Inventory(16, 0, 1, 16, 1, 4.0),
                "MEMORY_MB", new Inventory(65536, 512, 1, 65536, 1, 1.0),
                "DISK_GB", new Inventory(100, 0, 1, 100, 1, 1.0)));
        var stated = options(
                "initial_cpu_allocation_ratio", "16.0", "initial_ram_allocation_ratio", "1.5",
                "initial_disk_allocation_ratio", "2.0", "reserved_host_cpus", "2",
                "reserved_host_memory_mb", "1024", "reserved_host_disk_mb", "2049");
        assertThat(DesiredInventories.of(Map.of(), report(THREE, ""), stated)).isEqualTo(Map.of(
                "VCPU", new Inventory(16, 2, 1, 16, 1, 16.0),
                "MEMORY_MB", new Inventory(65536, 1024, 1, 65536, 1, 1.5),
                "DISK_GB", new Inventory(100, 3, 1, 100, 1, 2.0)));
    }

    @Test
    void keepsAnAdministratorsRatioUnlessOneIsConfigured() {
        var present = Map.of("VCPU", new Inventory(8, 1, 1, 8, 1, 9.5));
        String vcpu = "\"VCPU\":{\"total\":16}";
        assertThat(ratio(present, report(vcpu, ""), options("initial_cpu_allocation_ratio", "2.0"))).isEqualTo(9.5);
        assertThat(ratio(present, report(vcpu, ""), options("cpu_allocation_ratio", "3.0"))).isEqualTo(3.0);
        assertThat(ratio(present, report(vcpu, ""), options("cpu_allocation_ratio", "0.0"))).isEqualTo(9.5);
        assertThat(
                ratio(
                        present,
                        report(vcpu, ",\"cpu_allocation_ratio\":5.0"),
                        options("cpu_allocation_ratio", "3.0")))
                .isEqualTo(5.0);
        assertThat(
                ratio(
                        present,
                        report("\"VCPU\":{\"total\":16,\"allocation_ratio\":6.0}", ",\"cpu_allocation_ratio\":5.0"),
                        options("cpu_allocation_ratio", "3.0")))
                .isEqualTo(6.0);
    }

    private static double ratio(Map<String, Inventory> present, ProviderReport report, InventoryOptions options) {
        return DesiredInventories.of(present, report, options).get("VCPU").allocationRatio();
    }

    @Test
    void removesUnreportedStandardClassesAndKeepsCustomOnes() {
        var custom = new Inventory(1, 0, 1, 1, 1, 1.0);
        var present = Map.of("VGPU", new Inventory(4, 0, 1, 4, 1, 1.0), "CUSTOM_FPGA", custom, "CUSTOM_GOLD", custom);
        assertThat(
                DesiredInventories.of(
                        present, report("\"VCPU\":{\"total\":0},\"CUSTOM_FPGA\":{\"total\":0}", ""), options()))
                .isEqualTo(Map.of("CUSTOM_GOLD", custom));
    }
}
