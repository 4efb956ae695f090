package io.berth.scheduler.pci;

import io.berth.scheduler.text.WireNamed;
import jakarta.annotation.Nullable;

/** The required distance of a device from the instance's NUMA cells. */
public enum PciNumaPolicy implements WireNamed {
    /** The device must be on a chosen cell. */
    REQUIRED,
    /** The device must be on a chosen cell, or its cell must be unknown. */
    LEGACY,
    /** The nearest available devices are used. */
    PREFERRED,
    /** The device must be on a socket of a chosen cell. */
    SOCKET;

    /** Returns null if the text is not such a policy; it is compared exactly. */
    public static @Nullable PciNumaPolicy find(@Nullable String text) {
        return WireNamed.find(values(), text);
    }
}
