package io.berth.identity;

import jakarta.inject.Singleton;
import java.time.Instant;
import java.time.InstantSource;

/**
 * The clocks that decide how long a cached response is trusted. They are the system's; tests replace this bean by one
 * whose time they control.
 */
@Singleton
public class TimeSource implements InstantSource {
    /** Returns the present time, for comparison with times from other services. This clock may be set. */
    @Override
    public Instant instant() {
        return Instant.now();
    }

    /** Returns nanoseconds since an arbitrary moment, for durations. This clock cannot be set. */
    public long nanos() {
        return System.nanoTime();
    }
}
