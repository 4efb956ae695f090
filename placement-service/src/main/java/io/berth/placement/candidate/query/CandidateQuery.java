package io.berth.placement.candidate.query;

import java.util.List;
import java.util.Set;

/**
 * A query for allocation candidates, independent of microversions.
 *
 * @param groups at least one; each has another suffix
 * @param groupPolicy whether two suffixed groups may be served by one provider
 * @param rootRequired traits that the root of the tree must have
 * @param rootForbidden traits that it must not have
 * @param withoutInventory resource classes; no provider of the tree may have an inventory of any. An extension of Berth
 * @param sameSubtrees sets of suffixes; one of the providers that serve the groups of a set must be an ancestor of each
 *         of the others, or that provider itself
 * @param limit number of candidates wanted at most, at least 1; {@link #NO_LIMIT} for all
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
    public static final int NO_LIMIT = Integer.MAX_VALUE;

    /** States whether suffixed groups may share a provider. With {@link #ISOLATE}, each has a provider of its own. */
    public enum GroupPolicy {
        NONE,
        ISOLATE
    }

    /**
     * States whether the client knows trees of providers. If it is {@link #UNAWARE}, it gets no candidate that takes
     * from two providers of one tree, and the response shows only providers that candidates take from.
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
