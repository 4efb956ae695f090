package io.berth.placement.candidate.search;

import io.berth.placement.fleet.Provider;

/**
 * A part of a query that exactly one provider serves: a suffixed group, or one resource class of the unsuffixed group.
 *
 * @param classIds empty for a resourceless group
 */
public record GroupPart(ResolvedGroup group, int[] classIds, long[] amounts) {
    public String suffix() {
        return group.suffix();
    }

    boolean isSuffixed() {
        return group.isSuffixed();
    }

    /** Returns the same part for any amount: a provider serves it if it is suitable and has the classes. */
    GroupPart withoutAmounts() {
        return new GroupPart(group, classIds, new long[amounts.length]);
    }

    long amountOf(int classId) {
        for (int i = 0; i < classIds.length; i++) {
            if (classIds[i] == classId) {
                return amounts[i];
            }
        }
        return 0;
    }

    /**
     * Returns whether the provider meets the conditions of this part for its own tree, apart from {@linkplain #hasRoom
     * room}. The result is the same for all parts of the unsuffixed group. The required traits of that group are not
     * checked, because its providers need them only together.
     */
    public boolean suits(Provider provider, Provider root) {
        if (group.hasForbidden(provider)) {
            return false;
        }
        if (isSuffixed()) {
            return isInTree(root.id()) && isServedByItself(provider);
        }
        // An aggregate of the root spans the tree, for the unsuffixed group alone.
        return isInTree(root.id())
                && (group.isMember(provider) || group.isMember(root))
                && !group.isExcluded(provider)
                && !group.isExcluded(root);
    }

    /**
     * Returns whether the provider can serve this part for trees other than its own, if {@link #allowsAnchor} holds for
     * the tree.
     */
    public boolean isServedBySharing(Provider provider) {
        if (!hasRoom(provider) || group.hasForbidden(provider)) {
            return false;
        }
        if (isSuffixed()) {
            return isInTree(provider.rootId()) && isServedByItself(provider);
        }
        return group.inTreeRootId() == 0 && group.isMember(provider) && !group.isExcluded(provider);
    }

    /** Returns whether a sharing provider may serve this part for the tree with this root. */
    public boolean allowsAnchor(Provider root) {
        return isSuffixed() || !group.isExcluded(root);
    }

    private boolean isServedByItself(Provider provider) {
        return group.hasRequired(provider) && group.isMember(provider) && !group.isExcluded(provider);
    }

    private boolean isInTree(long rootId) {
        return group.inTreeRootId() == 0 || group.inTreeRootId() == rootId;
    }

    /**
     * Returns whether the provider has room for all amounts of this part. For an amount of 0 it only needs an
     * inventory.
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
