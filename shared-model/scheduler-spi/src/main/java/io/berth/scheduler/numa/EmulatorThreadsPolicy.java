package io.berth.scheduler.numa;

import jakarta.annotation.Nullable;

/** The emulator threads policy: whether the hypervisor's own threads get a host CPU of their own. */
public enum EmulatorThreadsPolicy {
    ISOLATE("isolate"),
    SHARE("share");

    private final String wireName;

    EmulatorThreadsPolicy(String wireName) {
        this.wireName = wireName;
    }

    /** The word used in flavors, images and JSON. */
    public String wireName() {
        return wireName;
    }

    /** Null if the text, which is compared exactly, is no such policy. */
    public static @Nullable EmulatorThreadsPolicy find(@Nullable String text) {
        for (EmulatorThreadsPolicy policy : values()) {
            if (policy.wireName.equals(text)) {
                return policy;
            }
        }
        return null;
    }
}
