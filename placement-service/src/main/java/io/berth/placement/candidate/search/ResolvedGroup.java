package io.berth.placement.candidate.search;

import io.berth.placement.candidate.query.RequestGroup;
import io.berth.placement.fleet.Provider;
import java.util.UUID;

/**
 * A {@link RequestGroup} with the ids of one view instead of names, and its conditions on a single provider.
 *
 * @param classIds resource classes, with {@code amounts} in the same order
 * @param required sets of traits, at least one of each set; ascending
 * @param inTreeRootId id of the root of the tree that {@code in_tree} names; 0 for any tree. Also 0 for a group without
 *         resources, for which upstream only checks that the provider exists
 */
public record ResolvedGroup(
        String suffix,
        int[] classIds,
        long[] amounts,
        int[][] required,
        int[] forbidden,
        UUID[][] memberOf,
        UUID[] forbiddenAggregates,
        long inTreeRootId) {

    boolean isSuffixed() {
        return !suffix.isEmpty();
    }

    public boolean hasRequired(Provider provider) {
        for (int[] anyOf : required) {
            if (!provider.hasAny(anyOf)) {
                return false;
            }
        }
        return true;
    }

    public boolean hasForbidden(Provider provider) {
        return provider.hasAny(forbidden);
    }

    /** Returns whether the provider itself is in at least one aggregate of each set. */
    boolean isMember(Provider provider) {
        for (UUID[] anyOf : memberOf) {
            if (!provider.isInAny(anyOf)) {
                return false;
            }
        }
        return true;
    }

    /** Returns whether the provider itself is in a forbidden aggregate. */
    boolean isExcluded(Provider provider) {
        return provider.isInAny(forbiddenAggregates);
    }
}
