package io.berth.scheduler.config;

import jakarta.annotation.Nullable;

/**
 * Reports an invalid value of an option. The exception ends the start of the service, or the request whose body has the
 * option (with 400). The message is the part of a sentence that follows the option's name, such as "must be a number".
 */
public final class OptionInvalid extends RuntimeException {
    private final @Nullable String group;
    private final String option;

    public OptionInvalid(@Nullable String group, String option, String detail) {
        super(detail, null, false, false);
        this.group = group;
        this.option = option;
    }

    /** Returns nova's name of the option's group; null if the option has no group. */
    public @Nullable String group() {
        return group;
    }

    /** Returns nova's name of the option. */
    public String option() {
        return option;
    }
}
