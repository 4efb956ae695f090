package io.berth.observability;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;

/** Limits a log line that many requests would write: it is logged once a second, with a count. */
public final class OncePerSecond {
    private static final long SECOND = TimeUnit.SECONDS.toNanos(1);

    /**
     * The time of the last log line; 0 before the first. It does not begin with the present time, because in a native
     * executable this object may come from the build, whose clock is another.
     */
    private final AtomicLong lastNanos = new AtomicLong();
    private final LongAdder suppressed = new LongAdder();

    /** Counts an occurrence. Returns the count since the last log line if it is time to log; else 0. */
    public long count() {
        return count(System.nanoTime());
    }

    long count(long now) {
        suppressed.increment();
        long last = lastNanos.get();
        boolean isTime = last == 0 || now - last >= SECOND;
        return isTime && lastNanos.compareAndSet(last, now == 0 ? 1 : now) ? suppressed.sumThenReset() : 0;
    }
}
