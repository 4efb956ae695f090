package io.berth.identity.http;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;

/** For what each request would tell the log alike while a service is away: once in ten seconds. Any thread may ask. */
public final class NowAndThen {
    private static final long EVERY_NANOS = Duration.ofSeconds(10).toNanos();

    private final AtomicLong toldAt = new AtomicLong(System.nanoTime() - EVERY_NANOS);

    /** Whether it is to be told now; of those who ask at once one is. */
    public boolean isTime() {
        long last = toldAt.get();
        long now = System.nanoTime();
        return now - last >= EVERY_NANOS && toldAt.compareAndSet(last, now);
    }
}
