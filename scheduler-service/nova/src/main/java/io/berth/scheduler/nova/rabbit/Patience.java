package io.berth.scheduler.nova.rabbit;

import io.berth.scheduler.nova.message.Message;
import java.time.Duration;
import java.time.Instant;

/**
 * Tracks until when a caller surely waits: it gives up if it got neither a reply nor a heartbeat for as long as its
 * message states. The message does not state when it was sent, but when the user called nova, which was before. Once
 * that is doubtful it stays so, because a caller that gives up sends no notice. For one thread.
 */
final class Patience {
    /** The certain part of the wait; the rest allows for clocks that differ and for transit. */
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

    /** Notes that its queue accepted a message for it. */
    void taken(long sentNanos, long takenNanos) {
        doubtful |= takenNanos - sureUntilNanos > 0;
        sureUntilNanos = sentNanos + sureNanos;
    }

    /** Returns whether it may have given up before one of them. */
    boolean isDoubtful() {
        return doubtful;
    }
}
