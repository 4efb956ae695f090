package io.berth.scheduler.placementsync;

import io.berth.scheduler.config.InventoryOptions;
import io.berth.scheduler.host.registry.ProviderReport;
import java.util.Map;
import java.util.TreeMap;

/**
 * Computes the inventories that a compute node's provider must have. Pure.
 *
 * <p>A ratio that the node or an option {@code *_allocation_ratio} sets overrides the ratio in placement. Without both,
 * {@code initial_*_allocation_ratio} applies when the inventory is created, and later the ratio in placement. Standard
 * classes that the node does not report are removed. CUSTOM_* classes that the node does not report stay, because they
 * belong to other systems.
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
     * @param options ratios and reserved amounts for classes whose report omits them
     */
    static Map<String, Inventory> of(
            Map<String, Inventory> present, ProviderReport report, InventoryOptions options) {
        Map<String, Inventory> wanted = new TreeMap<>();
        present.forEach((resourceClass, inventory) -> {
            if (resourceClass.startsWith(CUSTOM)) {
                wanted.put(resourceClass, inventory);
            }
        });
        report.inventories().forEach((resourceClass, reported) -> {
            if (reported.total() == 0) {
                wanted.remove(resourceClass);
            } else {
                wanted.put(resourceClass, new Inventory(
                        reported.total(),
                        valueOr(reported.reserved(), options.reserved(resourceClass)),
                        valueOr(reported.minUnit(), 1),
                        valueOr(reported.maxUnit(), reported.total()),
                        valueOr(reported.stepSize(), 1),
                        ratio(resourceClass, present.get(resourceClass), report, options)));
            }
        });
        return wanted;
    }

    private static double ratio(
            String resourceClass, Inventory present, ProviderReport report, InventoryOptions options) {
        Double own = report.allocationRatio(resourceClass);
        Double configured = options.allocationRatio(resourceClass);
        if (own != null) {
            return own;
        }
        if (configured != null) {
            return configured;
        }
        return present != null ? present.allocationRatio() : options.initialAllocationRatio(resourceClass);
    }

    private static long valueOr(Long value, long otherwise) {
        return value == null ? otherwise : value;
    }
}
