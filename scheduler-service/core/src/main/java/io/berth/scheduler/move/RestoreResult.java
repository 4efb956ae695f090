package io.berth.scheduler.move;

/** The result of an attempt to restore the allocations from before a move, or to release those on its source. */
public sealed interface RestoreResult {
    /** The allocations are restored or released, and no write of the move in flight can change that. */
    record Done() implements RestoreResult {}

    /** The allocations cannot be restored or released any more, because another client changed or deleted them. */
    record Gone(String why) implements RestoreResult {}

    /**
     * Placement does not respond or refuses, or another client writes the consumers at the same time. The caller must
     * try again later.
     */
    record RetryLater(String why) implements RestoreResult {}
}
