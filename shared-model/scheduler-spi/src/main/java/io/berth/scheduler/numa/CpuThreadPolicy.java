package io.berth.scheduler.numa;

import io.berth.scheduler.text.WireNamed;
import jakarta.annotation.Nullable;

/**
 * The thread policy of pinned CPUs: pack onto thread siblings if possible, leave siblings unused, or require siblings.
 */
public enum CpuThreadPolicy implements WireNamed {
    PREFER,
    ISOLATE,
    REQUIRE;

    /** Returns null if the text is not such a policy; it is compared exactly. */
    public static @Nullable CpuThreadPolicy find(@Nullable String text) {
        return WireNamed.find(values(), text);
    }
}
