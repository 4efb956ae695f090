package io.berth.scheduler.numa;

import io.berth.scheduler.text.WireNamed;
import jakarta.annotation.Nullable;

/** The cpu policy of an instance cell: whether its virtual CPUs float over the host's shared CPUs or are pinned. */
public enum CpuPolicy implements WireNamed {
    SHARED,
    DEDICATED,
    MIXED;

    /** True for the policies that pin CPUs, so for all but shared and none. */
    public static boolean pins(@Nullable CpuPolicy policy) {
        return policy == DEDICATED || policy == MIXED;
    }

    /** True for the policies with floating CPUs, so for all but dedicated; none counts as shared. */
    public static boolean shares(@Nullable CpuPolicy policy) {
        return policy != DEDICATED;
    }

    /** Returns null if the text is not such a policy; it is compared exactly. */
    public static @Nullable CpuPolicy find(@Nullable String text) {
        return WireNamed.find(values(), text);
    }
}
