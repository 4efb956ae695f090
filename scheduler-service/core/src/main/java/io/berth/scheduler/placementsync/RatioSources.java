package io.berth.scheduler.placementsync;

import io.berth.scheduler.config.InventoryOptions;
import io.berth.scheduler.host.registry.ComputeNode;
import jakarta.annotation.Nullable;
import java.util.Locale;

/**
 * Determines which system sets the values of an inventory; agrees with {@link WantedInventories}, which writes them.
 */
public final class RatioSources {
    private final InventoryOptions options;

    public RatioSources(InventoryOptions options) {
        this.options = options;
    }

    public enum Source {
        /** The value in placement stays. */
        PLACEMENT,
        /** An option {@code *_allocation_ratio} of the scheduler, written whenever the node reports. */
        OPTION,
        /** The compute node's report is written. */
        COMPUTE_NODE;

        public String wireName() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    /**
     * @param node that reports the provider; null if none does
     * @param member of the inventory, such as {@code reserved}
     */
    public Source of(@Nullable ComputeNode node, String resourceClass, String member) {
        return member.equals("allocation_ratio")
                ? of(node, resourceClass)
                : reports(node, resourceClass) ? Source.COMPUTE_NODE : Source.PLACEMENT;
    }

    /** Returns the source of the ratio. */
    public Source of(@Nullable ComputeNode node, String resourceClass) {
        if (!reports(node, resourceClass)) {
            return Source.PLACEMENT;
        }
        if (node.provider().allocationRatio(resourceClass) != null) {
            return Source.COMPUTE_NODE;
        }
        return options.allocationRatio(resourceClass) != null ? Source.OPTION : Source.PLACEMENT;
    }

    /** Returns whether the node reports that inventory, which determines everything except the ratio. */
    private static boolean reports(@Nullable ComputeNode node, String resourceClass) {
        return node != null
                && node.provider() != null
                && node.provider().inventories() != null
                && node.provider().inventories().containsKey(resourceClass);
    }
}
