package io.berth.scheduler.pci;

import io.berth.scheduler.text.WireNamed;
import jakarta.annotation.Nullable;

/** The required proximity of a device to the instance's NUMA cells. */
public enum PciNumaPolicy implements WireNamed {
    /** The device must be on a chosen cell. */
    REQUIRED,
    /** The device should be on a chosen cell; if none is free there, a device whose cell is unknown will do. */
    LEGACY,
    /** The device should be as near as possible, but may be anywhere. */
    PREFERRED,
    /** The device must be on a socket of a chosen cell. */
    SOCKET;

    /** Returns the policy of this name, compared exactly; null if there is none. */
    public static @Nullable PciNumaPolicy find(@Nullable String text) {
        return WireNamed.find(values(), text);
    }
}
