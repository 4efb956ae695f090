package io.berth.placement.candidate.search;

import io.berth.placement.fleet.Provider;

/**
 * A part of a query that exactly one provider serves: a suffixed group, or one resource class of the unsuffixed group.
 *
 * @param classIds ids of the resource classes; empty for a group without resources
 * @param amounts the amount of each class, in the order of {@code classIds}
 */
public record GroupPart(ResolvedGroup group, int[] classIds, long[] amounts) {
    public String suffix() {
        return group.suffix();
    }

    boolean isSuffixed() {
        return group.isSuffixed();
    }

    /**
     * Returns the same part without amounts: a provider serves it if the provider is suitable and has inventories of
     * the classes.
     */
    GroupPart withoutAmounts() {
        return new GroupPart(group, classIds, new long[amounts.length]);
    }

    /** Returns the requested amount of a class; 0 if the part does not request it. */
    long amountOf(int classId) {
        for (int i = 0; i < classIds.length; i++) {
            if (classIds[i] == classId) {
                return amounts[i];
            }
        }
        return 0;
    }

    /**
     * Returns whether the provider meets the conditions of this part in its own tree, except {@link #hasRoom}. For
     * parts of the unsuffixed group, required traits are not checked, because the providers of that group need the
     * traits only together; the result is then the same for all parts of the group.
     *
     * @param root the root of the provider's tree
     */
    public boolean suits(Provider provider, Provider root) {
        if (group.hasForbiddenTrait(provider)) {
            return false;
        }
        if (isSuffixed()) {
            return isInTree(root.id()) && isServedByItself(provider);
        }
        // For the unsuffixed group, every provider of a tree counts as a member of the aggregates of the root.
        return isInTree(root.id())
                && (group.isInRequiredAggregates(provider) || group.isInRequiredAggregates(root))
                && !group.isInForbiddenAggregate(provider)
                && !group.isInForbiddenAggregate(root);
    }

    /**
     * Returns whether the provider can serve this part for other trees, as one of the {@link SharingProviders}. The
     * result is valid for each tree with which the provider shares, if {@link #allowsSharingForTreeOf} is true for the
     * root of that tree. Does not check the required traits of the unsuffixed group, which the group's providers need
     * only together.
     */
    public boolean isServedBySharing(Provider provider) {
        if (!hasRoom(provider) || group.hasForbiddenTrait(provider)) {
            return false;
        }
        if (isSuffixed()) {
            return isInTree(provider.rootId()) && isServedByItself(provider);
        }
        return group.inTreeRootId() == 0 && group.isInRequiredAggregates(provider)
                && !group.isInForbiddenAggregate(provider);
    }

    /**
     * Returns whether sharing providers may serve this part for the tree with this root. They may not serve the
     * unsuffixed group if the root is in a forbidden aggregate.
     */
    public boolean allowsSharingForTreeOf(Provider root) {
        return isSuffixed() || !group.isInForbiddenAggregate(root);
    }

    private boolean isServedByItself(Provider provider) {
        return group.hasRequiredTraits(provider) && group.isInRequiredAggregates(provider)
                && !group.isInForbiddenAggregate(provider);
    }

    private boolean isInTree(long rootId) {
        return group.inTreeRootId() == 0 || group.inTreeRootId() == rootId;
    }

    /**
     * Returns whether the provider can allocate all amounts of this part. For an amount of 0, an inventory of the class
     * suffices.
     */
    public boolean hasRoom(Provider provider) {
        for (int i = 0; i < classIds.length; i++) {
            if (amounts[i] == 0
                    ? provider.inventories().find(classIds[i]) < 0
                    : !provider.inventories().fits(classIds[i], amounts[i])) {
                return false;
            }
        }
        return true;
    }
}
