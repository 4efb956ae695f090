package io.berth.scheduler.numa;

import io.berth.scheduler.text.WireNamed;
import jakarta.annotation.Nullable;

/** The emulator threads policy: whether the hypervisor's own threads get a dedicated host CPU. */
public enum EmulatorThreadsPolicy implements WireNamed {
    ISOLATE,
    SHARE;

    /** Returns null if the text is not such a policy; it is compared exactly. */
    public static @Nullable EmulatorThreadsPolicy find(@Nullable String text) {
        return WireNamed.find(values(), text);
    }
}
