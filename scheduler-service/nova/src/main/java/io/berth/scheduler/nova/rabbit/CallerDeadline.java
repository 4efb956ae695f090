package io.berth.scheduler.nova.rabbit;

import io.berth.scheduler.nova.message.Message;
import java.time.Duration;
import java.time.Instant;

/**
 * Tracks whether it is certain that a caller still waits for its reply. A caller gives up if it gets neither a reply
 * nor a heartbeat within the time that its message states. The message does not state when it was sent; the time when
 * the user called nova, which is earlier, replaces that. Once it is doubtful that the caller waits, it stays doubtful,
 * because a caller that gives up sends no notice. Not thread-safe.
 */
final class CallerDeadline {
    /**
     * The fraction of the stated time in which the caller certainly waits. The rest allows for transit and for clocks
     * that differ.
     */
    private static final double SURE_PART = 0.75;
    /** If the user called nova longer ago than this, it is doubtful from the start that the caller waits. */
    private static final Duration AGE_MAX = Duration.ofDays(1);

    private final long sureNanos;
    private long sureUntilNanos;
    private boolean doubtful;

    /**
     * @param now when the message arrived
     * @param nowNanos the same in {@link System#nanoTime}
     */
    CallerDeadline(Message message, Instant now, long nowNanos) {
        sureNanos = message.heartbeatWithin() == null ? 0 : (long) (message.heartbeatWithin().toNanos() * SURE_PART);
        doubtful = message.requestedAt() == null || message.requestedAt().isBefore(now.minus(AGE_MAX));
        Duration age = doubtful ? Duration.ZERO : Duration.between(message.requestedAt(), now);
        sureUntilNanos = nowNanos + sureNanos - (age.isNegative() ? 0 : age.toNanos());
    }

    /**
     * Notes that the caller's queue accepted a reply or heartbeat.
     *
     * @param sentNanos when it was sent, in {@link System#nanoTime}
     * @param takenNanos when RabbitMQ had confirmed it
     */
    void taken(long sentNanos, long takenNanos) {
        doubtful |= takenNanos - sureUntilNanos > 0;
        sureUntilNanos = sentNanos + sureNanos;
    }

    /** Returns whether the caller may have given up before one of the noted replies and heartbeats was accepted. */
    boolean isDoubtful() {
        return doubtful;
    }
}
