package io.berth.scheduler.request;

import jakarta.annotation.Nullable;
import java.util.List;
import java.util.Set;

/**
 * The destination that a move or an operator requests.
 *
 * @param host null: any
 * @param node null: any node of the host
 * @param cellUuid restriction, or with cross-cell moves allowed a preference
 * @param aggregates each entry is a list of alternatives; entries are required together
 * @param forbiddenAggregates aggregates the host must not be in
 */
public record RequestedDestination(
        @Nullable String host,
        @Nullable String node,
        @Nullable String cellUuid,
        boolean allowCrossCellMove,
        List<Set<String>> aggregates,
        Set<String> forbiddenAggregates) {
    public RequestedDestination {
        aggregates = List.copyOf(aggregates);
        forbiddenAggregates = Set.copyOf(forbiddenAggregates);
    }

    /** Creates a destination in any aggregate. */
    public RequestedDestination(
            @Nullable String host, @Nullable String node, @Nullable String cellUuid, boolean allowCrossCellMove) {
        this(host, node, cellUuid, allowCrossCellMove, List.of(), Set.of());
    }

    /** Returns this destination on one node. */
    public RequestedDestination at(String thatHost, String thatNode) {
        return new RequestedDestination(
                thatHost, thatNode, cellUuid, allowCrossCellMove, aggregates, forbiddenAggregates);
    }

    /** Returns this destination in another cell, or preferring it. */
    public RequestedDestination in(@Nullable String cell, boolean mayCross) {
        return new RequestedDestination(host, node, cell, mayCross, aggregates, forbiddenAggregates);
    }
}
