package io.berth.scheduler.numa;

import java.util.Set;

/** What the fitting asks about the PCI devices of a host that has PCI data, for one request and candidate. */
public interface CellDevices {
    /** Whether the request wants devices at all. */
    boolean requested();

    /** Free devices in the pools near the host cell, whatever their kind. */
    long freeOn(int cellId);

    /**
     * Whether the wanted devices can be had if the instance is placed on these host cells. Pure; may be asked often.
     */
    boolean satisfiableOn(Set<Integer> cellIds);
}
