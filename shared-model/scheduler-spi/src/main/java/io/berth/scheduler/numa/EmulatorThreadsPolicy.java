package io.berth.scheduler.numa;

import io.berth.scheduler.text.WireNamed;
import jakarta.annotation.Nullable;

/** The emulator threads policy: whether the hypervisor's own threads get a dedicated host CPU. */
public enum EmulatorThreadsPolicy implements WireNamed {
    ISOLATE,
    SHARE;

    /** Returns the policy of this name, compared exactly; null if there is none. */
    public static @Nullable EmulatorThreadsPolicy find(@Nullable String text) {
        return WireNamed.find(values(), text);
    }
}
