package io.berth.scheduler.numa;

import java.util.Set;

/** The PCI devices of a host for fitting a topology, for one request and candidate. */
public interface CellDevices {
    /** Returns whether the request needs devices at all. */
    boolean requested();

    /** Free devices in the pools near the host cell, whatever their kind. */
    long freeOn(int cellId);

    /**
     * Returns whether the requested devices are available if the instance is placed on these host cells. Pure; may be
     * called often.
     */
    boolean satisfiableOn(Set<Integer> cellIds);
}
