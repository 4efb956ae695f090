package io.berth.scheduler.numa;

import io.berth.scheduler.text.WireNamed;
import jakarta.annotation.Nullable;

/**
 * The policy by which pinned CPUs use thread siblings. {@code PREFER} packs them onto siblings if possible, {@code
 * ISOLATE} leaves the siblings unused, {@code REQUIRE} needs siblings.
 */
public enum CpuThreadPolicy implements WireNamed {
    PREFER,
    ISOLATE,
    REQUIRE;

    /** Returns the policy of this name, compared exactly; null if there is none. */
    public static @Nullable CpuThreadPolicy find(@Nullable String text) {
        return WireNamed.find(values(), text);
    }
}
