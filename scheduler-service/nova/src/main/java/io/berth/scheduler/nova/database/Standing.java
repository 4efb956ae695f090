package io.berth.scheduler.nova.database;

/** The progress of an instance on its way to a host, as in nova's databases. */
public enum Standing {
    /** It is on the host. */
    THERE,
    /** It is to be built or is being built, or has a task; or its state is unknown. */
    WAITING,
    /** It is not on the host, and has no task. */
    NOT_WAITING
}
