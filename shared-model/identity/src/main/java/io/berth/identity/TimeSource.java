package io.berth.identity;

import jakarta.inject.Singleton;
import java.time.Instant;
import java.time.InstantSource;

/**
 * The system's clocks, which decide how long a cached authentication or token is used. Tests replace this bean by one
 * with a controlled time.
 */
@Singleton
public class TimeSource implements InstantSource {
    /** Returns the present time, for comparison with times from other services. An administrator may set this clock. */
    @Override
    public Instant instant() {
        return Instant.now();
    }

    /** Returns nanoseconds since an arbitrary moment, for durations. This clock is monotonic. */
    public long nanos() {
        return System.nanoTime();
    }
}
