package io.berth.scheduler.config;

import jakarta.annotation.Nullable;

/** An option has an invalid value. Stops the service from starting, or fails the simulation that stated it. */
public final class OptionInvalid extends RuntimeException {
    private final @Nullable String group;
    private final String option;

    public OptionInvalid(@Nullable String group, String option, String detail) {
        super(detail, null, false, false);
        this.group = group;
        this.option = option;
    }

    /** Returns nova's name of the group; null if the option itself is a group. */
    public @Nullable String group() {
        return group;
    }

    public String option() {
        return option;
    }
}
