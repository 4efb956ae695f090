package io.berth.scheduler.pci;

import io.berth.scheduler.text.WireNamed;
import jakarta.annotation.Nullable;

/** The required proximity of a PCI device to the host cells of the instance. */
public enum PciNumaPolicy implements WireNamed {
    /** The device must be on a host cell of the instance. */
    REQUIRED,
    /**
     * The device should be on a host cell of the instance; if too few devices are free on these cells, devices whose
     * cell is unknown are used, too.
     */
    LEGACY,
    /** The device should be as near as possible, but may be on any cell. */
    PREFERRED,
    /** The device must be on the socket of a host cell of the instance. */
    SOCKET;

    /** Returns the policy with this name, which is compared exactly; null for any other text. */
    public static @Nullable PciNumaPolicy find(@Nullable String text) {
        return WireNamed.find(values(), text);
    }
}
