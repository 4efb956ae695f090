package io.berth.scheduler.placementsync;

/** The result of an attempt to write the changes of a host, or of one of its providers. */
sealed interface SyncResult {
    SyncResult DONE = new Done();

    /** Placement has the host as registered. */
    record Done() implements SyncResult {}

    /** Placement refused the changes, and will refuse them until the registry or placement changes. */
    record Refused(String why) implements SyncResult {}

    /** Placement does not respond, which concerns other hosts, too. */
    record Unreachable(String why) implements SyncResult {}
}
