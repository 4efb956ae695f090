package io.berth.scheduler.numa;

import java.util.Set;

/** The PCI devices of a host for one request and candidate, as the fitting of a NUMA topology needs them. */
public interface CellDevices {
    /** Returns whether the request includes PCI devices. */
    boolean requested();

    /** Returns the number of free devices of all kinds in the pools of the host cell. */
    long freeOn(int cellId);

    /**
     * Returns whether the host has the requested devices for an instance on these host cells. Pure and cheap; the
     * fitting calls it for many combinations of cells.
     */
    boolean satisfiableOn(Set<Integer> cellIds);
}
