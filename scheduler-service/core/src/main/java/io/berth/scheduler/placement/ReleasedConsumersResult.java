package io.berth.scheduler.placement;

import java.util.List;
import java.util.UUID;

/** The result of a query for the consumers that released all their allocations. */
public sealed interface ReleasedConsumersResult {
    /**
     * The consumers that released all their allocations after a position in placement's log. The query states the
     * position.
     *
     * @param until the position to send with the next query
     * @param isComplete false if consumers may be missing, because placement's log does not reach back to the position
     *     of the query
     */
    record Received(String until, boolean isComplete, List<UUID> consumers) implements ReleasedConsumersResult {}

    /** Placement keeps no log of released consumers. */
    record NoLog() implements ReleasedConsumersResult {}

    /** No usable response in time. */
    record Unreachable(String why) implements ReleasedConsumersResult {}
}
