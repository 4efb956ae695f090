package io.berth.scheduler.mirror;

import io.berth.scheduler.config.InventoryOptions;
import io.berth.scheduler.host.registry.ProviderReport;
import java.util.Map;
import java.util.TreeMap;

/**
 * The inventories a compute node's provider shall have. Pure.
 *
 * <p>A ratio that the node or an {@code *_allocation_ratio} option sets overrules what stands in placement; one that
 * nobody sets is {@code initial_*_allocation_ratio} when the inventory is made, and placement's from then on. Standard
 * classes the node no longer reports go; CUSTOM_* ones that it does not report are somebody else's and stay.
 * <br>Source: nova admin guide, "Allocation ratios"; {@code virt/driver.py} (_get_allocation_ratios).
 */
final class WantedInventories {
    private static final String CUSTOM = "CUSTOM_";

    private WantedInventories() {}

    /**
     * By resource class.
     *
     * @param report whose inventories are not null
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
