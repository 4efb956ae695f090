package io.berth.scheduler.numa;

import io.berth.scheduler.text.WireNamed;
import jakarta.annotation.Nullable;

/** The CPU policy of an instance cell: whether its virtual CPUs float over the host's shared CPUs or are pinned. */
public enum CpuPolicy implements WireNamed {
    SHARED,
    DEDICATED,
    MIXED;

    /** Returns true for the policies that pin CPUs: all except shared and none. */
    public static boolean pins(@Nullable CpuPolicy policy) {
        return policy == DEDICATED || policy == MIXED;
    }

    /** Returns true for the policies with floating CPUs: all except dedicated; none counts as shared. */
    public static boolean shares(@Nullable CpuPolicy policy) {
        return policy != DEDICATED;
    }

    /** Returns null if the text is not such a policy; it is compared exactly. */
    public static @Nullable CpuPolicy find(@Nullable String text) {
        return WireNamed.find(values(), text);
    }
}
