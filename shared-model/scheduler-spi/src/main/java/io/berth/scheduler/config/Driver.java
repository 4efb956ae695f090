package io.berth.scheduler.config;

import jakarta.annotation.Nullable;
import java.util.Arrays;
import java.util.Locale;

/**
 * The algorithm that finds destinations. Nova's class paths and their last names are aliases.
 * <br>Source: nova {@code conf/scheduler.py} (driver), before and after 2021.
 */
public enum Driver {
    /** Asks placement for candidates, filters and weighs the hosts, and claims the resources. */
    FILTER_SCHEDULER("FilterScheduler"),
    /** Picks any host whose service is up. */
    CHANCE_SCHEDULER("ChanceScheduler"),
    /** Filters and weighs host states that are refreshed at intervals; claims nothing. */
    CACHING_SCHEDULER("CachingScheduler");

    private final String className;

    Driver(String className) {
        this.className = className;
    }

    /** Returns the value of the option for this driver. */
    public String optionName() {
        return name().toLowerCase(Locale.ROOT);
    }

    /** Returns the driver of an option value, an alias included; null for an unknown name. */
    static @Nullable Driver find(String name) {
        return Arrays.stream(values())
                .filter(driver -> name.equals(driver.optionName())
                        || name.substring(name.lastIndexOf('.') + 1).equals(driver.className))
                .findFirst()
                .orElse(null);
    }
}
