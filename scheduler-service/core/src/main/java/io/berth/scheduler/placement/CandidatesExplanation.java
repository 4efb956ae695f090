package io.berth.scheduler.placement;

import com.fasterxml.jackson.databind.JsonNode;
import jakarta.annotation.Nullable;
import java.util.List;
import java.util.Objects;

/**
 * Explains the result of a query for candidates: how many provider trees meet each demand, and which obstacles exclude
 * the trees that lack least.
 *
 * @param roots number of trees in the fleet, the set of all providers
 * @param candidates number of trees that the query finds
 * @param demands in the order in which placement applies them; amounts come last
 * @param blocked trees that the query does not find, those that lack least first; placement limits their number
 */
public record CandidatesExplanation(long roots, long candidates, List<Demand> demands, List<BlockedTree> blocked) {
    public CandidatesExplanation {
        demands = List.copyOf(demands);
        blocked = List.copyOf(blocked);
    }

    /**
     * A tree that the query does not find, with all its obstacles.
     *
     * @param obstacles JSON as placement returns it, see docs/explanations.md
     */
    public record BlockedTree(Provider root, List<JsonNode> obstacles) {}

    /**
     * One demand of the query.
     *
     * @param text as in the query: {@code resources=VCPU:200}
     * @param alone number of trees that meet this demand, no matter whether they meet the other demands
     * @param suitable for an amount, the number of trees that meet this demand and all demands that are not amounts;
     *     for any other demand, the same as {@code alone}
     * @param remaining number of trees that meet this demand and all demands before it
     * @param removed the first roots that meet all demands before this one, but not this one
     * @param obstacle for an amount, the limit that keeps the nearest provider from supplying it: capacity, max_unit,
     *     min_unit, step_size or no_inventory; null if there is none
     * @param nearest for an amount, the provider with the largest free amount among those that meet the conditions of
     *     its request group, in trees that meet all demands before this one; if there is none, in trees that meet all
     *     demands that are not amounts. Null if no such provider has the class
     */
    public record Demand(
            String text, long alone, long suitable, long remaining, List<Provider> removed, @Nullable String obstacle,
            @Nullable Nearest nearest) {
        public Demand {
            Objects.requireNonNull(text, "text");
            removed = List.copyOf(removed);
        }
    }

    /** A resource provider. */
    public record Provider(String uuid, String name) {}

    /**
     * A provider's inventory of a resource class, in units of the class.
     *
     * @param free (total - reserved) x allocation ratio, truncated, less the used amount
     */
    public record Nearest(Provider provider, long free, long reserved, long minUnit, long maxUnit, long stepSize) {}
}
