package io.berth.placement.candidate.query;

import jakarta.annotation.Nullable;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;

/**
 * A request group of a query: the parameters with one suffix.
 *
 * <p>One provider, of the tree or a sharing provider of another tree, must serve a suffixed group. Several providers of
 * a tree, and sharing providers of other trees, may serve the unsuffixed group; these providers need the required
 * traits only together.
 *
 * @param suffix empty for the unsuffixed group
 * @param resources amount by resource class, each at least 1; empty for a group that only requires a provider with
 *         certain traits or aggregates
 * @param required sets of traits; at least one of each set is required
 * @param forbidden traits that no provider of the group may have
 * @param memberOf sets of aggregates; membership in at least one of each set is required
 * @param forbiddenAggregates aggregates that no provider of the group may be in
 * @param inTree uuid of any provider of the tree that must serve the group; null for any tree
 */
public record RequestGroup(
        String suffix,
        Map<String, Long> resources,
        List<Set<String>> required,
        Set<String> forbidden,
        List<Set<UUID>> memberOf,
        Set<UUID> forbiddenAggregates,
        @Nullable UUID inTree) {
    public RequestGroup {
        resources = Collections.unmodifiableMap(new LinkedHashMap<>(resources));
        required = required.stream().map(Set::copyOf).toList();
        forbidden = Set.copyOf(forbidden);
        memberOf = memberOf.stream().map(Set::copyOf).toList();
        forbiddenAggregates = Set.copyOf(forbiddenAggregates);
    }

    public boolean isSuffixed() {
        return !suffix.isEmpty();
    }
}
