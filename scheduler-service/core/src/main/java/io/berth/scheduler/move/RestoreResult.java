package io.berth.scheduler.move;

/** The result of an attempt to restore the earlier allocations, or to release those on the source. */
public sealed interface RestoreResult {
    /** The allocations are restored or released, and no write in flight can change that. */
    record Done() implements RestoreResult {}

    /** Nothing can be restored any more: another client changed or deleted these allocations. */
    record Gone(String why) implements RestoreResult {}

    /**
     * Placement does not respond, refuses, or another client writes at the same time. The caller must try again later.
     */
    record RetryLater(String why) implements RestoreResult {}
}
