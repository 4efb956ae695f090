package io.berth.scheduler.host.registry;

/** Who keeps the records of hosts: cells, compute nodes, services, host aggregates, instances. */
public interface HostKeeper {
    /** Returns whether somebody else than Berth does: then they are changed there, and nothing of them is told to placement. */
    boolean isForeign();
}
