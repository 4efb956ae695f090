package io.berth.scheduler.numa;

import io.berth.scheduler.text.WireNamed;
import jakarta.annotation.Nullable;

/**
 * The CPUs of the hypervisor's threads for an instance. {@code ISOLATE}: a dedicated host CPU. {@code SHARE}: no CPU of
 * their own; nova-compute lets the threads use the host's shared CPUs or the CPUs of the guest.
 */
public enum EmulatorThreadsPolicy implements WireNamed {
    ISOLATE,
    SHARE;

    /** Returns the policy with this name, which is compared exactly; null for any other text. */
    public static @Nullable EmulatorThreadsPolicy find(@Nullable String text) {
        return WireNamed.find(values(), text);
    }
}
