package io.berth.scheduler.placementsync;

import io.berth.scheduler.config.InventoryOptions;
import io.berth.scheduler.host.registry.ProviderReport;
import jakarta.annotation.Nullable;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;

/**
 * Computes the inventories that a compute node's provider must have. Pure.
 *
 * <p>A ratio in the node's report, or else in an option {@code *_allocation_ratio}, overrides the ratio in placement.
 * If neither sets a ratio, {@code initial_*_allocation_ratio} applies when the inventory is created, and the ratio in
 * placement stays afterwards. Standard classes that the node does not report are removed. CUSTOM_* classes that the
 * node does not report stay, because they belong to other systems. Any class that the node reports with a total of 0 is
 * removed.
 * <br>Source: nova admin guide, "Allocation ratios"; {@code virt/driver.py} (_get_allocation_ratios).
 */
final class DesiredInventories {
    private static final String CUSTOM = "CUSTOM_";

    private DesiredInventories() {}

    /**
     * Returns the wanted inventories by resource class.
     *
     * @param present inventories of the provider in placement, by resource class
     * @param report the node's report, whose inventories are not null
     * @param options ratios and reserved amounts for classes whose report omits them. If the report omits other
     *     members, the minimum unit and the step size are 1, and the maximum unit is the total
     */
    static Map<String, Inventory> of(
            Map<String, Inventory> present, ProviderReport report, InventoryOptions options) {
        Map<String, Inventory> wantedInventories = new TreeMap<>();
        present.forEach((resourceClass, inventory) -> {
            if (resourceClass.startsWith(CUSTOM)) {
                wantedInventories.put(resourceClass, inventory);
            }
        });
        Objects.requireNonNull(report.inventories()).forEach((resourceClass, reported) -> {
            if (reported.total() == 0) {
                wantedInventories.remove(resourceClass);
            } else {
                wantedInventories.put(resourceClass, new Inventory(
                        reported.total(),
                        valueOr(reported.reserved(), options.reserved(resourceClass)),
                        valueOr(reported.minUnit(), 1),
                        valueOr(reported.maxUnit(), reported.total()),
                        valueOr(reported.stepSize(), 1),
                        ratio(resourceClass, present.get(resourceClass), report, options)));
            }
        });
        return wantedInventories;
    }

    private static double ratio(
            String resourceClass, @Nullable Inventory present, ProviderReport report, InventoryOptions options) {
        Double reportedRatio = report.allocationRatio(resourceClass);
        Double configuredRatio = options.allocationRatio(resourceClass);
        if (reportedRatio != null) {
            return reportedRatio;
        }
        if (configuredRatio != null) {
            return configuredRatio;
        }
        return present != null ? present.allocationRatio() : options.initialAllocationRatio(resourceClass);
    }

    private static long valueOr(@Nullable Long value, long otherwise) {
        return value == null ? otherwise : value;
    }
}
