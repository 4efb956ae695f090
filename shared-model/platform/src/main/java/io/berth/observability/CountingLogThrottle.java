package io.berth.observability;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;

/**
 * Limits a log line to one per second, however many requests cause it, and counts the occurrences of its cause.
 * Thread-safe.
 */
public final class CountingLogThrottle {
    private static final long SECOND_NANOS = TimeUnit.SECONDS.toNanos(1);

    /**
     * The {@link System#nanoTime} of the last log line; 0 before the first. The initial value is not the present time,
     * because in a native executable this object may be created at build time, with the clock of another machine.
     */
    private final AtomicLong lastNanos = new AtomicLong();
    private final LongAdder occurrences = new LongAdder();

    /**
     * Counts an occurrence. Returns the number of occurrences since the last log line if the caller should log now;
     * otherwise 0.
     */
    public long count() {
        return count(System.nanoTime());
    }

    long count(long now) {
        occurrences.increment();
        long last = lastNanos.get();
        boolean isDue = last == 0 || now - last >= SECOND_NANOS;
        return isDue && lastNanos.compareAndSet(last, now == 0 ? 1 : now) ? occurrences.sumThenReset() : 0;
    }
}
