package io.berth.scheduler.pci;

import io.berth.scheduler.text.WireNamed;
import jakarta.annotation.Nullable;

/** How near to the instance's NUMA cells a device must be. */
public enum PciNumaPolicy implements WireNamed {
    /** On a chosen cell. */
    REQUIRED,
    /** On a chosen cell, else on one whose host does not say where it is. */
    LEGACY,
    /** As near as there are devices. */
    PREFERRED,
    /** On a socket of a chosen cell. */
    SOCKET;

    /** Null if the text, which is compared exactly, is no such policy. */
    public static @Nullable PciNumaPolicy find(@Nullable String text) {
        return WireNamed.find(values(), text);
    }
}
