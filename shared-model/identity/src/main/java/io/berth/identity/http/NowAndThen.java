package io.berth.identity.http;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;

/**
 * Limits a log line to one in ten seconds, if otherwise every request would write it while a service is away.
 * Thread-safe.
 */
public final class NowAndThen {
    private static final long EVERY_NANOS = Duration.ofSeconds(10).toNanos();

    private final LongSupplier nanos;
    private final AtomicLong loggedAt;

    /** @param nanos a clock like {@link System#nanoTime} */
    public NowAndThen(LongSupplier nanos) {
        this.nanos = nanos;
        this.loggedAt = new AtomicLong(nanos.getAsLong() - EVERY_NANOS);
    }

    /** Returns whether to log now. Only one of several concurrent callers gets true. */
    public boolean isTime() {
        long last = loggedAt.get();
        long now = nanos.getAsLong();
        return now - last >= EVERY_NANOS && loggedAt.compareAndSet(last, now);
    }
}
