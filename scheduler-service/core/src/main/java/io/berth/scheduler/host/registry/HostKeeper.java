package io.berth.scheduler.host.registry;

/**
 * States whether Berth or nova owns the records of hosts: cells, compute nodes, services, host aggregates, instances.
 */
public interface HostKeeper {
    /**
     * Returns whether nova owns these records. Berth then reads them from nova's databases, refuses edits of them by
     * clients, and does not synchronize them to placement.
     */
    boolean isForeign();
}
