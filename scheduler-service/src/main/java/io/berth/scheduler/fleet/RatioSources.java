package io.berth.scheduler.fleet;

import io.berth.scheduler.config.InventoryOptions;
import io.berth.scheduler.host.registry.ComputeNode;
import jakarta.annotation.Nullable;
import java.util.Locale;

/** Who has the last word on an inventory's allocation ratio. As {@code mirror.WantedInventories} decides. */
final class RatioSources {
    private final InventoryOptions options;

    RatioSources(InventoryOptions options) {
        this.options = options;
    }

    enum Source {
        /** What stands in placement stays. */
        PLACEMENT,
        /** An option {@code *_allocation_ratio} of the scheduler, written whenever the node reports. */
        OPTION,
        /** The compute node's report. */
        COMPUTE_NODE;

        String wireName() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    /** @param node that reports the provider; null if none does */
    Source of(@Nullable ComputeNode node, String resourceClass) {
        if (!reports(node, resourceClass)) {
            return Source.PLACEMENT;
        }
        if (node.provider().allocationRatio(resourceClass) != null) {
            return Source.COMPUTE_NODE;
        }
        return options.allocationRatio(resourceClass) != null ? Source.OPTION : Source.PLACEMENT;
    }

    /** Whether all but the ratio of that inventory is what the node reports. */
    boolean reports(@Nullable ComputeNode node, String resourceClass) {
        return node != null
                && node.provider() != null
                && node.provider().inventories() != null
                && node.provider().inventories().containsKey(resourceClass);
    }
}
