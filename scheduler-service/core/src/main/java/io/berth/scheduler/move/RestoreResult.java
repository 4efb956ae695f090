package io.berth.scheduler.move;

/** The result of an attempt to restore the earlier allocations. */
public sealed interface RestoreResult {
    /** The instance holds its earlier allocations, and no write in flight can change that. */
    record Done() implements RestoreResult {}

    /** There is nothing to restore, or not any more: another client changed these allocations. */
    record Gone(String why) implements RestoreResult {}

    /** Placement does not respond, or refuses, or another client writes at the same time. Must be tried again. */
    record NotNow(String why) implements RestoreResult {}
}
