package io.berth.identity.http;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;

/**
 * Limits a log line that every request would write while a service is away to one in ten seconds. Any thread may call.
 */
public final class NowAndThen {
    private static final long EVERY_NANOS = Duration.ofSeconds(10).toNanos();

    private final LongSupplier nanos;
    private final AtomicLong loggedAt;

    /** @param nanos a clock as {@link System#nanoTime} */
    public NowAndThen(LongSupplier nanos) {
        this.nanos = nanos;
        this.loggedAt = new AtomicLong(nanos.getAsLong() - EVERY_NANOS);
    }

    /** Returns whether to log now; of concurrent callers one gets true. */
    public boolean isTime() {
        long last = loggedAt.get();
        long now = nanos.getAsLong();
        return now - last >= EVERY_NANOS && loggedAt.compareAndSet(last, now);
    }
}
