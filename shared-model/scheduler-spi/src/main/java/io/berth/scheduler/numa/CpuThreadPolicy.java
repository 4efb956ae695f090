package io.berth.scheduler.numa;

import jakarta.annotation.Nullable;

/**
 * The thread policy of pinned CPUs: pack onto thread siblings if possible, leave siblings unused, or insist on
 * siblings.
 */
public enum CpuThreadPolicy {
    PREFER("prefer"),
    ISOLATE("isolate"),
    REQUIRE("require");

    private final String wireName;

    CpuThreadPolicy(String wireName) {
        this.wireName = wireName;
    }

    /** The word used in flavors, images and JSON. */
    public String wireName() {
        return wireName;
    }

    /** Null if the text, which is compared exactly, is no such policy. */
    public static @Nullable CpuThreadPolicy find(@Nullable String text) {
        for (CpuThreadPolicy policy : values()) {
            if (policy.wireName.equals(text)) {
                return policy;
            }
        }
        return null;
    }
}
