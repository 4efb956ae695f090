package io.berth.scheduler.move;

/** The result of an attempt to restore the earlier allocations. */
public sealed interface RestoreResult {
    /** The instance holds its earlier allocations, and no write in flight can change that. */
    record Done() implements RestoreResult {}

    /** Nothing is left to restore: another client changed or deleted these allocations. */
    record Gone(String why) implements RestoreResult {}

    /** Placement does not respond, or refuses, or another client writes at the same time. The caller must try again. */
    record NotNow(String why) implements RestoreResult {}
}
