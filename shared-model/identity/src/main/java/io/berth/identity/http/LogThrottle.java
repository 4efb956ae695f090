package io.berth.identity.http;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;

/**
 * Limits the rate of a log line to one in ten seconds, for failures that every request would log during an outage.
 * Thread-safe.
 */
public final class LogThrottle {
    private static final long EVERY_NANOS = Duration.ofSeconds(10).toNanos();

    private final LongSupplier nanos;
    private final AtomicLong loggedAt;

    /** @param nanos a clock like {@link System#nanoTime} */
    public LogThrottle(LongSupplier nanos) {
        this.nanos = nanos;
        this.loggedAt = new AtomicLong(nanos.getAsLong() - EVERY_NANOS);
    }

    /**
     * Returns whether the caller should log now. After true, returns false for ten seconds; of several concurrent
     * callers only one gets true.
     */
    public boolean isDue() {
        long last = loggedAt.get();
        long now = nanos.getAsLong();
        return now - last >= EVERY_NANOS && loggedAt.compareAndSet(last, now);
    }
}
