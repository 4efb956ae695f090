package io.berth.scheduler.request;

import jakarta.annotation.Nullable;
import java.util.List;
import java.util.Set;

/**
 * The destination that a move or an operator requests.
 *
 * @param host null stands for any host
 * @param node null stands for any node of the host
 * @param cellUuid the only cell allowed, or only the preferred one if {@code allowCrossCellMove}; null stands for any
 *         cell
 * @param allowCrossCellMove whether a move may leave the cell
 * @param aggregates the host must be in at least one aggregate of each entry
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

    /** Returns this destination with another cell, which is only preferred if the move may leave it. */
    public RequestedDestination in(@Nullable String cell, boolean mayCross) {
        return new RequestedDestination(host, node, cell, mayCross, aggregates, forbiddenAggregates);
    }
}
