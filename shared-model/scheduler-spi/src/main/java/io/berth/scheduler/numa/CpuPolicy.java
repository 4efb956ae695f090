package io.berth.scheduler.numa;

import io.berth.scheduler.text.WireNamed;
import jakarta.annotation.Nullable;

/**
 * The CPU policy of an instance cell. {@code SHARED}: its virtual CPUs float over the host's shared CPUs. {@code
 * DEDICATED}: each is pinned to a host CPU of its own. {@code MIXED}: some float and some are pinned.
 */
public enum CpuPolicy implements WireNamed {
    SHARED,
    DEDICATED,
    MIXED;

    /** Returns whether the policy pins CPUs: true for dedicated and mixed. */
    public static boolean pins(@Nullable CpuPolicy policy) {
        return policy == DEDICATED || policy == MIXED;
    }

    /** Returns whether the policy has floating CPUs: true for shared, mixed and null, which counts as shared. */
    public static boolean shares(@Nullable CpuPolicy policy) {
        return policy != DEDICATED;
    }

    /** Returns the policy with this name, which is compared exactly; null for any other text. */
    public static @Nullable CpuPolicy find(@Nullable String text) {
        return WireNamed.find(values(), text);
    }
}
