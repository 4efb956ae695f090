package io.berth.placement.candidate.search;

import io.berth.placement.fleet.Inventories;
import io.berth.placement.fleet.Inventory;
import io.berth.placement.fleet.Provider;
import java.util.ArrayList;
import java.util.List;

/**
 * One demand of a query, with how many trees meet it. Counts while {@link DemandCounts} goes through the fleet.
 * <br>Not for several threads.
 */
final class Demand {
    private static final int REMOVED_MAX = 3;

    /** Whether one provider meets the demand for the tree with that root. */
    @FunctionalInterface
    interface Test {
        /** @param visiting whether the provider stands in another tree and shares with this one */
        boolean isMetBy(Provider provider, Provider root, boolean visiting);
    }

    /** As in a query string: {@code resources=VCPU:200}. */
    final String text;
    /** Positions of the parts whose providers it is about; none: the root of the tree. */
    final int[] parts;
    /** One provider of any of its parts is enough, and the others stay. */
    final boolean together;
    final Test test;
    /** For an amount the class; -1 otherwise. */
    final int classId;
    final long amount;
    /** Trees that meet it by itself; an amount: that also meet all that is no amount. */
    int alone;
    /** Trees that meet this and all demands before. */
    int left;
    /** Roots of the first trees that met all before, and not this. */
    final List<Provider> removed = new ArrayList<>(REMOVED_MAX);
    private boolean isConsidered;
    private Provider nearest;
    private boolean nearestIsLeft;

    Demand(String text, int[] parts, boolean together, Test test) {
        this(text, parts, together, test, -1, 0);
    }

    /** An amount of one class. */
    Demand(String text, int part, int classId, long amount) {
        this(text, new int[] {part}, false,
                (provider, root, visiting) -> provider.inventories().fits(classId, amount), classId, amount);
    }

    private Demand(String text, int[] parts, boolean together, Test test, int classId, long amount) {
        this.text = text;
        this.parts = parts;
        this.together = together;
        this.test = test;
        this.classId = classId;
        this.amount = amount;
    }

    boolean isAmount() {
        return classId >= 0;
    }

    void count(boolean byItself, boolean allBefore, boolean met, Provider root) {
        alone += byItself ? 1 : 0;
        left += allBefore && met ? 1 : 0;
        if (allBefore && !met && removed.size() < REMOVED_MAX) {
            removed.add(root);
        }
    }

    /**
     * For an amount: a provider that meets the conditions of its group, in a tree that meets all that is no amount.
     *
     * @param isLeft whether its tree meets all demands before
     */
    void offer(Provider provider, boolean isLeft) {
        isConsidered = true;
        if (provider.inventories().find(classId) >= 0
                && (nearest == null || (isLeft && !nearestIsLeft)
                        || (isLeft == nearestIsLeft && free(provider) > free(nearest)))) {
            nearest = provider;
            nearestIsLeft = isLeft;
        }
    }

    /** The provider with most of the class left, of trees that meet all before if any has the class; null if none. */
    Provider nearest() {
        return nearest;
    }

    /** Capacity as it is shown less use; negative where it is overcommitted. */
    long free(Provider provider) {
        Inventories inventories = provider.inventories();
        int at = inventories.find(classId);
        return (long) Inventory.whole(inventories.capacity(at)) - inventories.used()[at];
    }

    /** What keeps the nearest provider from giving the amount; null if nothing does, or nobody came so far. */
    String obstacle() {
        if (nearest == null) {
            return isConsidered ? "no_inventory" : null;
        }
        Inventories inventories = nearest.inventories();
        int at = inventories.find(classId);
        if (amount > free(nearest)) {
            return "capacity";
        }
        if (amount > inventories.maxUnit()[at]) {
            return "max_unit";
        }
        if (amount < inventories.minUnit()[at]) {
            return "min_unit";
        }
        return amount % inventories.stepSize()[at] == 0 ? null : "step_size";
    }
}
