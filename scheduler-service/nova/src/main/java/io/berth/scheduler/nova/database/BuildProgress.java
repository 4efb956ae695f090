package io.berth.scheduler.nova.database;

/**
 * How far nova has brought an instance to the host that was selected for it, according to nova's databases. A task
 * means that nova works on the instance.
 */
public enum BuildProgress {
    /** The instance is on the host. */
    ARRIVED,
    /**
     * The instance is not on the host yet, but waits to be built, is being built, or has a task; or its state is
     * unknown.
     */
    WAITING,
    /**
     * The instance is not on the host, does not wait to be built, is not being built and has no task; or nova does not
     * have it. So nova will not bring it to the host.
     */
    NOT_WAITING
}
