package io.berth.scheduler.placementsync;

import io.berth.scheduler.config.InventoryOptions;
import io.berth.scheduler.host.registry.ComputeNode;
import io.berth.scheduler.host.registry.ProviderReport;
import jakarta.annotation.Nullable;
import java.util.Locale;

/**
 * Determines which system sets the values of a provider's inventories, so that operators know where to change a value.
 * Must match {@link DesiredInventories}, which computes the values that are written.
 */
public final class RatioSources {
    private final InventoryOptions options;

    public RatioSources(InventoryOptions options) {
        this.options = options;
    }

    /** The system that sets a value. */
    public enum Source {
        /** The value in placement stays. The placement sync sets at most the initial value of a new inventory. */
        PLACEMENT,
        /** The scheduler's option {@code *_allocation_ratio} is written with each report of the node. */
        OPTION,
        /** The value in the compute node's report is written, or the default for a member that the report omits. */
        COMPUTE_NODE;

        public String wireName() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    /**
     * Returns the source of one member of an inventory.
     *
     * @param node the provider's compute node; null if the provider is not registered
     * @param member member of placement's inventory, such as {@code reserved}
     */
    public Source sourceOf(@Nullable ComputeNode node, String resourceClass, String member) {
        return member.equals("allocation_ratio")
                ? sourceOf(node, resourceClass)
                : reports(node, resourceClass) ? Source.COMPUTE_NODE : Source.PLACEMENT;
    }

    /**
     * Returns the source of the allocation ratio.
     *
     * @param node the provider's compute node; null if the provider is not registered
     */
    public Source sourceOf(@Nullable ComputeNode node, String resourceClass) {
        ProviderReport report = node == null ? null : node.provider();
        if (report == null || !reports(node, resourceClass)) {
            return Source.PLACEMENT;
        }
        if (report.allocationRatio(resourceClass) != null) {
            return Source.COMPUTE_NODE;
        }
        return options.allocationRatio(resourceClass) != null ? Source.OPTION : Source.PLACEMENT;
    }

    /** Returns whether the node reports an inventory of the class. If so, all members but the ratio are written. */
    private static boolean reports(@Nullable ComputeNode node, String resourceClass) {
        return node != null
                && node.provider() != null
                && node.provider().inventories() != null
                && node.provider().inventories().containsKey(resourceClass);
    }
}
