package io.berth.identity;

import jakarta.inject.Singleton;
import java.time.Instant;
import java.time.InstantSource;

/**
 * The clocks that decide how long an answer is believed. They are the system's; a test has a bean in place of this one,
 * whose time passes only when the test says so.
 */
@Singleton
public class TimeSource implements InstantSource {
    /** For a moment that another service states. This clock may be set. */
    @Override
    public Instant instant() {
        return Instant.now();
    }

    /** For how long something lasts, in nanoseconds since an arbitrary moment. This clock cannot be set. */
    public long nanos() {
        return System.nanoTime();
    }
}
