package io.berth.scheduler.nova.rabbit;

import io.berth.scheduler.nova.message.Message;
import java.time.Duration;
import java.time.Instant;

/**
 * Until when a caller surely waits: it gives up when it had neither answer nor sign of life for as long as its message
 * says. When it was sent the message does not say, but when the user asked nova, which was before. Once that is doubtful
 * it stays so: nobody hears of a caller that gave up. One thread's.
 */
final class Patience {
    /** The rest is for clocks that differ, and for what is on its way. */
    private static final double SURE_PART = 0.75;
    private static final Duration AGE_MAX = Duration.ofDays(1);

    private final long sureNanos;
    private long sureUntilNanos;
    private boolean doubtful;

    /** @param nowNanos of the clock that {@link #told} goes by */
    Patience(Message message, Instant now, long nowNanos) {
        sureNanos = message.heartbeatWithin() == null ? 0 : (long) (message.heartbeatWithin().toNanos() * SURE_PART);
        doubtful = message.requestedAt() == null || message.requestedAt().isBefore(now.minus(AGE_MAX));
        Duration age = doubtful ? Duration.ZERO : Duration.between(message.requestedAt(), now);
        sureUntilNanos = nowNanos + sureNanos - (age.isNegative() ? 0 : age.toNanos());
    }

    /** Its queue took something for it. */
    void told(long sentNanos, long takenNanos) {
        doubtful |= takenNanos - sureUntilNanos > 0;
        sureUntilNanos = sentNanos + sureNanos;
    }

    /** Returns whether it may have given up before one of them. */
    boolean isDoubtful() {
        return doubtful;
    }
}
