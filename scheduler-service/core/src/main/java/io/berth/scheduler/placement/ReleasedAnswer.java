package io.berth.scheduler.placement;

import java.util.List;
import java.util.UUID;

/** The result of querying for consumers that released all their allocations. */
public sealed interface ReleasedAnswer {
    /**
     * The consumers that released their allocations.
     *
     * @param until the position to send with the next query
     * @param isComplete false if some may be missing
     */
    record Received(String until, boolean isComplete, List<UUID> consumers) implements ReleasedAnswer {}

    /** Placement keeps no log of them. */
    record NotKept() implements ReleasedAnswer {}

    record Unreachable(String why) implements ReleasedAnswer {}
}
