package io.berth.scheduler.pci;

import io.berth.scheduler.text.WireNamed;
import jakarta.annotation.Nullable;

/** The required proximity of a device to the instance's NUMA cells. */
public enum PciNumaPolicy implements WireNamed {
    /** The device must be on a chosen cell. */
    REQUIRED,
    /** The device must be on a chosen cell; otherwise one whose cell is unknown will do. */
    LEGACY,
    /** Devices as near as there are. */
    PREFERRED,
    /** The device must be on a socket of a chosen cell. */
    SOCKET;

    /** Returns null if the text is not such a policy; it is compared exactly. */
    public static @Nullable PciNumaPolicy find(@Nullable String text) {
        return WireNamed.find(values(), text);
    }
}
