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
 * @param blocked trees that it does not find and that lack least, these first
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
     * @param alone trees that meet it by itself
     * @param suitable for an amount: trees that also meet all non-quantitative demands; otherwise as alone
     * @param left trees that meet it and all demands before it
     * @param removed names of the first roots that met all demands before it and not this one
     * @param obstacle for an amount, the limit that keeps the nearest provider from supplying it: capacity, max_unit,
     *     min_unit, step_size or no_inventory; null if there is none
     * @param nearest for an amount, the provider with most left among those that meet the rest; null if none of them
     *     has any
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
