package io.berth.scheduler.placement;

import java.util.List;
import java.util.UUID;

/** What the question for consumers that gave up all they held can come to. */
public sealed interface ReleasedAnswer {
    /**
     * @param until to be named the next time
     * @param isComplete false where some may be missing
     */
    record Told(String until, boolean isComplete, List<UUID> consumers) implements ReleasedAnswer {}

    /** Placement keeps no record of them. */
    record NotKept() implements ReleasedAnswer {}

    record Unreachable(String why) implements ReleasedAnswer {}
}
