package io.berth.placement.candidate.query;

import java.util.List;
import java.util.Set;

/**
 * A query for allocation candidates, independent of microversions.
 *
 * @param groups the request groups, at least one, with different suffixes
 * @param groupPolicy whether one provider may serve two suffixed groups
 * @param rootRequired traits that the root of the tree must have
 * @param rootForbidden traits that the root of the tree must not have
 * @param withoutInventory resource classes of which no provider of the tree may have an inventory; an extension of
 *         Berth
 * @param sameSubtrees sets of suffixes. The provider of one group of a set must be the same as, or an ancestor of, the
 *         providers of all other groups of the set
 * @param limit the most candidates in the response, at least 1; {@link #NO_LIMIT} for all
 * @param nesting whether a candidate may take from several providers of one tree
 */
public record CandidateQuery(
        List<RequestGroup> groups,
        GroupPolicy groupPolicy,
        Set<String> rootRequired,
        Set<String> rootForbidden,
        Set<String> withoutInventory,
        List<Set<String>> sameSubtrees,
        int limit,
        Nesting nesting) {
    /** The limit that means all candidates. */
    public static final int NO_LIMIT = Integer.MAX_VALUE;

    /**
     * The rule for a provider that could serve several suffixed groups. With {@link #ISOLATE}, each of them has a
     * different provider.
     */
    public enum GroupPolicy {
        NONE,
        ISOLATE
    }

    /**
     * The client's support of provider trees (from microversion 1.29). The response for an {@link #UNAWARE} client has
     * no candidate that takes from two providers of one tree, and summaries only of providers that candidates take
     * from; the response for an {@link #AWARE} client summarizes whole trees.
     */
    public enum Nesting {
        AWARE,
        UNAWARE
    }

    public CandidateQuery {
        groups = List.copyOf(groups);
        rootRequired = Set.copyOf(rootRequired);
        rootForbidden = Set.copyOf(rootForbidden);
        withoutInventory = Set.copyOf(withoutInventory);
        sameSubtrees = sameSubtrees.stream().map(Set::copyOf).toList();
    }
}
