package io.berth.scheduler.numa;

import io.berth.scheduler.text.WireNamed;
import jakarta.annotation.Nullable;

/**
 * How pinned virtual CPUs use thread siblings, that is, hardware threads of the same core. {@code PREFER} pins to
 * siblings if possible, {@code REQUIRE} only to siblings, {@code ISOLATE} leaves the siblings of each used thread free.
 */
public enum CpuThreadPolicy implements WireNamed {
    PREFER,
    ISOLATE,
    REQUIRE;

    /** Returns the policy with this name, which is compared exactly; null for any other text. */
    public static @Nullable CpuThreadPolicy find(@Nullable String text) {
        return WireNamed.find(values(), text);
    }
}
