package io.berth.observability;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;

/** For a line of the log that each of many requests would write alike: it is written once a second, with a count. */
public final class OncePerSecond {
    private static final long SECOND = TimeUnit.SECONDS.toNanos(1);

    /** 0 before the first: made in a native executable's build, its clock would be another. */
    private final AtomicLong lastNanos = new AtomicLong();
    private final LongAdder untold = new LongAdder();

    /** It happened again. How often since it was told last, when it is time to tell it; else 0. */
    public long count() {
        return count(System.nanoTime());
    }

    long count(long now) {
        untold.increment();
        long last = lastNanos.get();
        boolean isTime = last == 0 || now - last >= SECOND;
        return isTime && lastNanos.compareAndSet(last, now == 0 ? 1 : now) ? untold.sumThenReset() : 0;
    }
}
