package io.berth.scheduler.placementsync;

/** The result of an attempt to write the changes of a host, or of one of its providers. */
sealed interface SyncResult {
    SyncResult DONE = new Done();

    /** Placement has the host as registered, or has no provider for it and the changes only remove things. */
    record Done() implements SyncResult {}

    /**
     * The changes cannot be written now, for a reason that concerns this host only: placement refuses them or has no
     * provider for them, or other clients changed the provider during every attempt.
     */
    record Refused(String why) implements SyncResult {}

    /**
     * There was no usable response of placement, the registry could not be read, or the attempt took too long. The same
     * is to be expected for other hosts.
     */
    record Unreachable(String why) implements SyncResult {}
}
