package io.berth.scheduler.config;

import jakarta.annotation.Nullable;
import java.util.Arrays;
import java.util.Locale;

/**
 * The algorithm that selects hosts: the option {@code [scheduler] driver}. The names of nova's classes, with or without
 * their path, are accepted as aliases.
 * <br>Source: nova {@code conf/scheduler.py} (driver).
 */
public enum Driver {
    /** Queries placement for candidates, filters and weighs the hosts, and claims the resources. */
    FILTER_SCHEDULER("FilterScheduler"),
    /**
     * Selects random hosts whose service is up, enabled and not forced down, except hosts that the request ignores.
     * Uses no filters or weighers, and claims nothing.
     */
    CHANCE_SCHEDULER("ChanceScheduler"),
    /** Filters and weighs host states that are read at intervals instead of per request; claims nothing. */
    CACHING_SCHEDULER("CachingScheduler");

    private final String className;

    Driver(String className) {
        this.className = className;
    }

    /** Returns the value of the option for this driver. */
    public String optionName() {
        return name().toLowerCase(Locale.ROOT);
    }

    /** Returns the driver with this option value or alias; null for an unknown name. Compares exactly. */
    static @Nullable Driver find(String name) {
        return Arrays.stream(values())
                .filter(driver -> name.equals(driver.optionName())
                        || name.substring(name.lastIndexOf('.') + 1).equals(driver.className))
                .findFirst()
                .orElse(null);
    }
}
