package io.berth.scheduler.placement;

import com.fasterxml.jackson.databind.JsonNode;
import jakarta.annotation.Nullable;
import java.util.List;
import java.util.Objects;

/**
 * How many provider trees meet the demands of a query, and what is in the way of those that are no candidates.
 *
 * @param roots trees there are
 * @param candidates trees that the query finds
 * @param demands in the order in which placement looks at them: amounts come last
 * @param blocked of the trees that it does not find those that lack least, these first
 */
public record CandidatesExplanation(long roots, long candidates, List<Demand> demands, List<Blocked> blocked) {
    public CandidatesExplanation {
        demands = List.copyOf(demands);
        blocked = List.copyOf(blocked);
    }

    /**
     * A tree with all that is in its way.
     *
     * @param obstacles as placement tells them: docs/explanations.md
     */
    public record Blocked(Provider root, List<JsonNode> obstacles) {}

    /**
     * One demand.
     *
     * @param text as in a query: {@code resources=VCPU:200}
     * @param alone trees that meet it by itself
     * @param suitable an amount: trees that also meet all that is no amount; otherwise as alone
     * @param left trees that meet it and all demands before
     * @param removed names of the first roots that met all before and not this
     * @param obstacle of an amount what keeps the nearest provider from giving it: capacity, max_unit, min_unit,
     *     step_size or no_inventory; null if nothing does
     * @param nearest of an amount the provider with most left, of those that meet the rest; null if none of them has any
     */
    public record Demand(
            String text, long alone, long suitable, long left, List<Provider> removed, @Nullable String obstacle,
            @Nullable Nearest nearest) {
        public Demand {
            Objects.requireNonNull(text, "text");
            removed = List.copyOf(removed);
        }
    }

    /** A provider by its name. */
    public record Provider(String uuid, String name) {}

    /** What a provider has of a class, as its inventory says; {@code free} is capacity, without what is reserved, less use. */
    public record Nearest(Provider provider, long free, long reserved, long minUnit, long maxUnit, long stepSize) {}
}
