package io.berth.identity;

import jakarta.annotation.Priority;
import jakarta.enterprise.inject.Alternative;
import jakarta.inject.Singleton;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.atomic.AtomicLong;

/** Clock that stands still at the time at which the service started, until a test lets time pass. */
@Singleton
@Alternative
@Priority(1)
public class TimeForTests extends TimeSource {
    private final Instant started = Instant.now();
    private final AtomicLong passedNanos = new AtomicLong();

    public void pass(Duration time) {
        passedNanos.addAndGet(time.toNanos());
    }

    @Override
    public Instant instant() {
        return started.plusNanos(passedNanos.get());
    }

    @Override
    public long nanos() {
        return passedNanos.get();
    }
}
