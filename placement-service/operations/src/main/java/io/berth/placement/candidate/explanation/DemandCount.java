package io.berth.placement.candidate.explanation;

import io.berth.placement.fleet.Inventories;
import io.berth.placement.fleet.Inventories.Breach;
import io.berth.placement.fleet.Provider;
import jakarta.annotation.Nullable;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;

/**
 * The number of trees that meet one demand, and, for an amount, the provider that is nearest to meeting it. {@link
 * DemandCounts} adds each tree of the fleet.
 */
final class DemandCount {
    /** The most roots in {@code removed}. */
    private static final int REMOVED_MAX = 3;

    final Demand demand;
    /** Number of trees that meet this demand, independent of the other demands. */
    int alone;
    /**
     * For an amount, the number of trees that meet this demand, every condition, and the earlier amounts of the same
     * suffixed group, because one provider must serve the whole group. For other demands, the same as {@code alone}.
     */
    int suitable;
    /** Number of trees that meet this demand and all demands before it in {@link Demands}. */
    int afterAllBefore;
    /** Roots of the first trees that meet all demands before this demand, but not this demand. */
    final List<Provider> removed = new ArrayList<>(REMOVED_MAX);
    /** True if any provider was offered. */
    private boolean wasOffered;
    private @Nullable Provider nearest;
    /** True if the tree of {@code nearest} meets all demands before this one. */
    private boolean nearestMeetsAllBefore;

    DemandCount(Demand demand) {
        this.demand = demand;
    }

    /** Adds a root to {@code removed} if it has fewer than {@value #REMOVED_MAX}. */
    void addRemoved(Provider root) {
        if (removed.size() < REMOVED_MAX) {
            removed.add(root);
        }
    }

    /**
     * Considers a provider of a tree, or one that shares with the tree, as the nearest one for this amount. The tree
     * must meet every condition of the query. The provider must meet the earlier demands of the amount's part of the
     * query ({@link Demand#parts}), except required traits of the unsuffixed group.
     *
     * @param meetsAllBefore whether the tree meets all demands before this one
     */
    void offer(Provider provider, boolean meetsAllBefore) {
        wasOffered = true;
        if (provider.inventories().find(demand.classId()) >= 0
                && (nearest == null || (meetsAllBefore && !nearestMeetsAllBefore)
                        || (meetsAllBefore == nearestMeetsAllBefore && free(provider) > free(nearest)))) {
            nearest = provider;
            nearestMeetsAllBefore = meetsAllBefore;
        }
    }

    private long free(Provider provider) {
        Inventories inventories = provider.inventories();
        return inventories.free(inventories.find(demand.classId()));
    }

    /**
     * Returns the offered provider with the most free units of the class; providers for trees that meet all demands
     * before this one are preferred. Null if no offered provider has an inventory of the class.
     */
    @Nullable Provider nearest() {
        return nearest;
    }

    /**
     * Returns the code of the reason for which the nearest provider cannot allocate the amount: the name of a {@link
     * Breach} in lower case, or {@code no_inventory} if no offered provider has an inventory of the class. Null if the
     * provider can allocate the amount, or if no provider was offered.
     */
    @Nullable String obstacle() {
        if (nearest == null) {
            return wasOffered ? "no_inventory" : null;
        }
        Inventories inventories = nearest.inventories();
        Set<Breach> breaches = inventories.breaches(inventories.find(demand.classId()), demand.amount());
        // If there are several reasons, a lack of free units comes before a limit on a single allocation.
        for (Breach breach : List.of(Breach.CAPACITY, Breach.MAX_UNIT, Breach.MIN_UNIT, Breach.STEP_SIZE)) {
            if (breaches.contains(breach)) {
                return breach.name().toLowerCase(Locale.ROOT);
            }
        }
        return null;
    }
}
