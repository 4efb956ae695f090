package io.berth.scheduler.placementsync;

/** The result of an attempt to synchronize a host, or a part of it. */
sealed interface SyncedHost {
    SyncedHost DONE = new Done();

    /** Placement has what the registry wants. */
    record Done() implements SyncedHost {}

    /** Placement responds, but refuses as long as nothing changes. */
    record Refused(String why) implements SyncedHost {}

    /** Placement does not respond. Other hosts need not be tried now. */
    record Unreachable(String why) implements SyncedHost {}
}
