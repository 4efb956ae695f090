package io.berth.scheduler.numa;

import java.util.Set;

/** The PCI devices of a host, as the fitting of a NUMA topology sees them for one request and candidate. */
public interface CellDevices {
    /** Returns whether the request needs devices at all. */
    boolean requested();

    /** Returns the number of free devices in the pools near the host cell, whatever their kind. */
    long freeOn(int cellId);

    /**
     * Returns whether the requested devices are available if the instance is placed on these host cells. Pure; may be
     * called often.
     */
    boolean satisfiableOn(Set<Integer> cellIds);
}
