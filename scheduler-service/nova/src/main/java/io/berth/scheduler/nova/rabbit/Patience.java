package io.berth.scheduler.nova.rabbit;

import io.berth.scheduler.nova.message.Message;
import java.time.Duration;
import java.time.Instant;

/**
 * Tracks whether a caller certainly still waits. A caller gives up if it gets neither a reply nor a heartbeat within
 * the time that its message states. The message does not state when it was sent; the earlier time when the user called
 * nova takes its place. Once it is doubtful that the caller waits, it stays doubtful, because a caller that gives up
 * sends no notice. Not thread-safe.
 */
final class Patience {
    /**
     * The part of the stated time in which the caller certainly waits; the rest allows for differing clocks and for
     * transit.
     */
    private static final double SURE_PART = 0.75;
    private static final Duration AGE_MAX = Duration.ofDays(1);

    private final long sureNanos;
    private long sureUntilNanos;
    private boolean doubtful;

    /** @param nowNanos of the clock that {@link #taken} uses */
    Patience(Message message, Instant now, long nowNanos) {
        sureNanos = message.heartbeatWithin() == null ? 0 : (long) (message.heartbeatWithin().toNanos() * SURE_PART);
        doubtful = message.requestedAt() == null || message.requestedAt().isBefore(now.minus(AGE_MAX));
        Duration age = doubtful ? Duration.ZERO : Duration.between(message.requestedAt(), now);
        sureUntilNanos = nowNanos + sureNanos - (age.isNegative() ? 0 : age.toNanos());
    }

    /** Notes that the caller's queue accepted a reply or heartbeat. */
    void taken(long sentNanos, long takenNanos) {
        doubtful |= takenNanos - sureUntilNanos > 0;
        sureUntilNanos = sentNanos + sureNanos;
    }

    /** Returns whether the caller may have given up before one of those messages was accepted. */
    boolean isDoubtful() {
        return doubtful;
    }
}
