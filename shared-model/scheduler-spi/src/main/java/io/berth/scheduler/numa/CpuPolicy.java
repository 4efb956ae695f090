package io.berth.scheduler.numa;

import jakarta.annotation.Nullable;

/** The cpu policy of an instance cell: whether its virtual CPUs float over the host's shared CPUs or are pinned. */
public enum CpuPolicy {
    SHARED("shared"),
    DEDICATED("dedicated"),
    MIXED("mixed");

    private final String wireName;

    CpuPolicy(String wireName) {
        this.wireName = wireName;
    }

    /** The word used in flavors, images and JSON. */
    public String wireName() {
        return wireName;
    }

    /** True for the policies that pin CPUs, so for all but shared and none. */
    public static boolean pins(@Nullable CpuPolicy policy) {
        return policy == DEDICATED || policy == MIXED;
    }

    /** True for the policies with floating CPUs, so for all but dedicated; none counts as shared. */
    public static boolean shares(@Nullable CpuPolicy policy) {
        return policy != DEDICATED;
    }

    /** Null if the text, which is compared exactly, is no such policy. */
    public static @Nullable CpuPolicy find(@Nullable String text) {
        for (CpuPolicy policy : values()) {
            if (policy.wireName.equals(text)) {
                return policy;
            }
        }
        return null;
    }
}
