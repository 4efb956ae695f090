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
 * Counts the trees that meet one demand, and finds the nearest provider; {@link DemandCounts} fills it on its pass over
 * the fleet.
 */
final class DemandCount {
    private static final int REMOVED_MAX = 3;

    final Demand demand;
    /** Trees that meet this demand, whatever the other demands are. */
    int alone;
    /** Trees that satisfy this demand and every non-quantitative demand. */
    int suitable;
    /** Trees that meet this demand and all demands before it. */
    int left;
    /** Roots of the first trees that meet all demands before this one, but not this one. */
    final List<Provider> removed = new ArrayList<>(REMOVED_MAX);
    private boolean isConsidered;
    private Provider nearest;
    private boolean nearestIsLeft;

    DemandCount(Demand demand) {
        this.demand = demand;
    }

    void removes(Provider root) {
        if (removed.size() < REMOVED_MAX) {
            removed.add(root);
        }
    }

    /**
     * Offers a provider for an amount: it meets the conditions of its group, in a tree that satisfies every
     * non-quantitative demand.
     *
     * @param isLeft whether its tree meets all demands before this one
     */
    void offer(Provider provider, boolean isLeft) {
        isConsidered = true;
        if (provider.inventories().find(demand.classId()) >= 0
                && (nearest == null || (isLeft && !nearestIsLeft)
                        || (isLeft == nearestIsLeft && free(provider) > free(nearest)))) {
            nearest = provider;
            nearestIsLeft = isLeft;
        }
    }

    private long free(Provider provider) {
        Inventories inventories = provider.inventories();
        return inventories.free(inventories.find(demand.classId()));
    }

    /**
     * Returns the provider with the most free units of the class. Providers in trees that meet all demands before this
     * one come first. Null if no provider that was offered has the class.
     */
    @Nullable Provider nearest() {
        return nearest;
    }

    /** Returns why the nearest provider cannot give the amount; null if it can, or if no provider was considered. */
    @Nullable String obstacle() {
        if (nearest == null) {
            return isConsidered ? "no_inventory" : null;
        }
        Inventories inventories = nearest.inventories();
        Set<Breach> broken = inventories.breaches(inventories.find(demand.classId()), demand.amount());
        // Reports a lack of free units before a limit on a single allocation.
        for (Breach each : List.of(Breach.CAPACITY, Breach.MAX_UNIT, Breach.MIN_UNIT, Breach.STEP_SIZE)) {
            if (broken.contains(each)) {
                return each.name().toLowerCase(Locale.ROOT);
            }
        }
        return null;
    }
}
