package io.berth.scheduler.placementsync;

import io.berth.scheduler.config.InventoryOptions;
import io.berth.scheduler.host.registry.ProviderReport;
import java.util.Map;
import java.util.TreeMap;

/**
 * Computes the inventories that a compute node's provider must have. Pure.
 *
 * <p>A ratio that the node or an {@code *_allocation_ratio} option sets overrides the one in placement; without
 * either, {@code initial_*_allocation_ratio} applies when the inventory is created, and placement's value from then
 * on. Standard classes that the node no longer reports are removed; CUSTOM_* ones that it does not report belong to
 * other systems and stay.
 * <br>Source: nova admin guide, "Allocation ratios"; {@code virt/driver.py} (_get_allocation_ratios).
 */
final class WantedInventories {
    private static final String CUSTOM = "CUSTOM_";

    private WantedInventories() {}

    /**
     * Returns the inventories by resource class.
     *
     * @param report with inventories that are not null
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
                        either(reported.reserved(), options.reserved(resourceClass)),
                        either(reported.minUnit(), 1),
                        either(reported.maxUnit(), reported.total()),
                        either(reported.stepSize(), 1),
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

    private static long either(Long stated, long otherwise) {
        return stated == null ? otherwise : stated;
    }
}
