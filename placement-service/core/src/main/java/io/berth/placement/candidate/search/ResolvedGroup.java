package io.berth.placement.candidate.search;

import io.berth.placement.candidate.query.RequestGroup;
import io.berth.placement.fleet.Provider;
import java.util.UUID;

/**
 * A {@link RequestGroup} with ids of one view instead of names. Arrays must not be modified.
 *
 * @param suffix the group's suffix; empty for the unsuffixed group
 * @param classIds ids of the resource classes
 * @param amounts the amount of each class, in the order of {@code classIds}
 * @param required sets of trait ids, each ascending; at least one trait of each set is required
 * @param forbidden ids of the forbidden traits that any provider of the view has
 * @param memberOf sets of aggregates; membership in at least one of each set is required
 * @param forbiddenAggregates the forbidden aggregates that any provider of the view is in
 * @param inTreeRootId id of the root of the tree that {@code in_tree} names; 0 for any tree. Also 0 for a group without
 *         resources, for which upstream only checks that the named provider exists
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

    /** Returns whether the provider has at least one trait of each required set. */
    public boolean hasRequiredTraits(Provider provider) {
        for (int[] anyOf : required) {
            if (!provider.hasAny(anyOf)) {
                return false;
            }
        }
        return true;
    }

    /** Returns whether the provider has a forbidden trait. */
    public boolean hasForbiddenTrait(Provider provider) {
        return provider.hasAny(forbidden);
    }

    /** Returns whether the provider itself, not only its root, is in at least one aggregate of each set. */
    boolean isInRequiredAggregates(Provider provider) {
        for (UUID[] anyOf : memberOf) {
            if (!provider.isInAny(anyOf)) {
                return false;
            }
        }
        return true;
    }

    /** Returns whether the provider itself, not only its root, is in a forbidden aggregate. */
    boolean isInForbiddenAggregate(Provider provider) {
        return provider.isInAny(forbiddenAggregates);
    }
}
