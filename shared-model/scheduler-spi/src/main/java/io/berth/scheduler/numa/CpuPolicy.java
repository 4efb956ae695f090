package io.berth.scheduler.numa;

import io.berth.scheduler.text.WireNamed;
import jakarta.annotation.Nullable;

/**
 * The CPU policy of an instance cell: its virtual CPUs float over the host's shared CPUs, or are pinned to host CPUs of
 * their own, or some of each.
 */
public enum CpuPolicy implements WireNamed {
    SHARED,
    DEDICATED,
    MIXED;

    /** Returns whether the policy pins CPUs: true for dedicated and mixed. */
    public static boolean pins(@Nullable CpuPolicy policy) {
        return policy == DEDICATED || policy == MIXED;
    }

    /** Returns whether the policy has floating CPUs: true for all except dedicated. Null counts as shared. */
    public static boolean shares(@Nullable CpuPolicy policy) {
        return policy != DEDICATED;
    }

    /** Returns the policy of this name, compared exactly; null if there is none. */
    public static @Nullable CpuPolicy find(@Nullable String text) {
        return WireNamed.find(values(), text);
    }
}
