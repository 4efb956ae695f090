package io.berth.scheduler.placement;

import com.fasterxml.jackson.databind.JsonNode;
import jakarta.annotation.Nullable;
import java.util.List;
import java.util.Objects;

/**
 * The number of provider trees that meet the demands of a query, and the obstacles of those that are no candidates.
 *
 * @param roots number of trees in the fleet
 * @param candidates number of trees that the query finds
 * @param demands in the order in which placement applies them: amounts come last
 * @param blocked the trees that lack least of those that the query does not find, the nearest first
 */
public record CandidatesExplanation(long roots, long candidates, List<Demand> demands, List<Blocked> blocked) {
    public CandidatesExplanation {
        demands = List.copyOf(demands);
        blocked = List.copyOf(blocked);
    }

    /**
     * A tree with all its obstacles.
     *
     * @param obstacles as placement returns them: docs/explanations.md
     */
    public record Blocked(Provider root, List<JsonNode> obstacles) {}

    /**
     * One demand.
     *
     * @param text as in a query: {@code resources=VCPU:200}
     * @param alone number of trees that meet this demand by itself
     * @param suitable for an amount, the number of trees that also meet all non-quantitative demands; otherwise as
     * {@code alone}
     * @param left number of trees that meet this demand and all demands before it
     * @param removed the first roots that meet all demands before it but not this one
     * @param obstacle for an amount, the limit that keeps the nearest provider from supplying it: capacity, max_unit,
     *     min_unit, step_size or no_inventory; null if there is none
     * @param nearest for an amount, the provider with the largest free amount among those that meet the other demands;
     *     null if none of them has the resource class
     */
    public record Demand(
            String text, long alone, long suitable, long left, List<Provider> removed, @Nullable String obstacle,
            @Nullable Nearest nearest) {
        public Demand {
            Objects.requireNonNull(text, "text");
            removed = List.copyOf(removed);
        }
    }

    /** A provider and its name. */
    public record Provider(String uuid, String name) {}

    /** A provider's inventory of a class; {@code free} is its capacity less the reserved and used amounts. */
    public record Nearest(Provider provider, long free, long reserved, long minUnit, long maxUnit, long stepSize) {}
}
