package io.berth.scheduler.request;

import jakarta.annotation.Nullable;
import java.util.List;
import java.util.Set;

/**
 * The destination that a move or an operator requests, which restricts the hosts.
 *
 * @param host name of the host; null for any
 * @param node name of the node; null for any node of the host
 * @param cellUuid uuid of the only permitted cell, or with {@code allowCrossCellMove} of the preferred cell; null for
 *         any
 * @param allowCrossCellMove whether a move may leave the cell
 * @param aggregates uuids of aggregates; the host must be in at least one aggregate of each entry
 * @param forbiddenAggregates uuids of aggregates in which the host must not be
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

    /** Creates a destination without conditions on aggregates. */
    public RequestedDestination(
            @Nullable String host, @Nullable String node, @Nullable String cellUuid, boolean allowCrossCellMove) {
        this(host, node, cellUuid, allowCrossCellMove, List.of(), Set.of());
    }

    /** Returns this destination, restricted to one node. */
    public RequestedDestination at(String thatHost, String thatNode) {
        return new RequestedDestination(
                thatHost, thatNode, cellUuid, allowCrossCellMove, aggregates, forbiddenAggregates);
    }

    /** Returns this destination with these values of {@code cellUuid} and {@code allowCrossCellMove}. */
    public RequestedDestination in(@Nullable String cell, boolean mayCross) {
        return new RequestedDestination(host, node, cell, mayCross, aggregates, forbiddenAggregates);
    }
}
