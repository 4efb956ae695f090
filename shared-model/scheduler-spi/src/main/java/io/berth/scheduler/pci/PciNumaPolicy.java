package io.berth.scheduler.pci;

import jakarta.annotation.Nullable;

/** How near to the instance's NUMA cells a device must be. */
public enum PciNumaPolicy {
    /** On a chosen cell. */
    REQUIRED("required"),
    /** On a chosen cell, else on one whose host does not say where it is. */
    LEGACY("legacy"),
    /** As near as there are devices. */
    PREFERRED("preferred"),
    /** On a socket of a chosen cell. */
    SOCKET("socket");

    private final String wireName;

    PciNumaPolicy(String wireName) {
        this.wireName = wireName;
    }

    /** The word used in flavors, images, aliases and JSON. */
    public String wireName() {
        return wireName;
    }

    /** Null if the text, which is compared exactly, is no such policy. */
    public static @Nullable PciNumaPolicy find(@Nullable String text) {
        for (PciNumaPolicy policy : values()) {
            if (policy.wireName.equals(text)) {
                return policy;
            }
        }
        return null;
    }
}
