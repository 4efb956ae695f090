package io.berth.scheduler.host.registry;

/** Knows which system owns the records of hosts: cells, compute nodes, services, host aggregates, instances. */
public interface HostKeeper {
    /**
     * Returns whether a system other than Berth owns them: then they are changed there, and are not synchronized to
     * placement.
     */
    boolean isForeign();
}
