package io.berth.scheduler.nova.database;

/** How far nova has brought an instance to the host that was selected for it, according to nova's databases. */
public enum BuildProgress {
    /** The instance is on the host. */
    ARRIVED,
    /** The instance waits to be built, is being built, or has a task (nova works on it); or its state is unknown. */
    WAITING,
    /** The instance is not on the host and has no task, so that nova will not bring it to the host. */
    NOT_WAITING
}
