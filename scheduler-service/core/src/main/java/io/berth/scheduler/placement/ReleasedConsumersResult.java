package io.berth.scheduler.placement;

import java.util.List;
import java.util.UUID;

/** The result of a query for the consumers that released all their allocations. */
public sealed interface ReleasedConsumersResult {
    /**
     * The consumers that released their allocations since the position in placement's log that the query named.
     *
     * @param until the position to send with the next query
     * @param isComplete false if consumers may be missing, because placement's log does not reach back to the position
     */
    record Received(String until, boolean isComplete, List<UUID> consumers) implements ReleasedConsumersResult {}

    /** Placement keeps no log of released consumers. */
    record NotKept() implements ReleasedConsumersResult {}

    /** No usable response in time. */
    record Unreachable(String why) implements ReleasedConsumersResult {}
}
