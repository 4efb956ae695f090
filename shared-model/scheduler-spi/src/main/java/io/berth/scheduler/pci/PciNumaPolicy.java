package io.berth.scheduler.pci;

import io.berth.scheduler.text.WireNamed;
import jakarta.annotation.Nullable;

/** How near to the instance's NUMA cells a device must be. */
public enum PciNumaPolicy implements WireNamed {
    /** On a chosen cell. */
    REQUIRED,
    /** On a chosen cell, else on one whose host does not say where it is. */
    LEGACY,
    /** Devices as near as there are. */
    PREFERRED,
    /** On a socket of a chosen cell. */
    SOCKET;

    /** Returns null if the text is not such a policy; it is compared exactly. */
    public static @Nullable PciNumaPolicy find(@Nullable String text) {
        return WireNamed.find(values(), text);
    }
}
