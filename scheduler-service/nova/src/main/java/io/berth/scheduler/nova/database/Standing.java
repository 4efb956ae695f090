package io.berth.scheduler.nova.database;

/** Where an instance is on its way to a host, as nova's databases have it. */
public enum Standing {
    /** It is on the host. */
    THERE,
    /** It is to be built or is being built, or has a task; or that cannot be said. */
    WAITING,
    /** It is not on the host, and nothing is done with it. */
    NOT_WAITING
}
