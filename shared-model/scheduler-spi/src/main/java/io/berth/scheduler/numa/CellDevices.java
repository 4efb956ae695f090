package io.berth.scheduler.numa;

import java.util.Set;

/** The PCI devices of a host as fitting a topology needs them, for one request and candidate. */
public interface CellDevices {
    /** Returns whether the request wants devices at all. */
    boolean requested();

    /** Free devices in the pools near the host cell, whatever their kind. */
    long freeOn(int cellId);

    /**
     * Returns whether the wanted devices can be had if the instance is placed on these host cells. Pure; may be asked often.
     */
    boolean satisfiableOn(Set<Integer> cellIds);
}
