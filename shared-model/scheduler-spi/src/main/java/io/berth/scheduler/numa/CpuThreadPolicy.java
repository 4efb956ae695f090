package io.berth.scheduler.numa;

import io.berth.scheduler.text.WireNamed;
import jakarta.annotation.Nullable;

/**
 * The thread policy of pinned CPUs: pack onto thread siblings if possible, leave siblings unused, or insist on
 * siblings.
 */
public enum CpuThreadPolicy implements WireNamed {
    PREFER,
    ISOLATE,
    REQUIRE;

    /** Null if the text, which is compared exactly, is no such policy. */
    public static @Nullable CpuThreadPolicy find(@Nullable String text) {
        return WireNamed.find(values(), text);
    }
}
