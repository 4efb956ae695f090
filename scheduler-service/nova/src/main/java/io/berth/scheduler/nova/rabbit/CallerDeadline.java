package io.berth.scheduler.nova.rabbit;

import io.berth.scheduler.nova.message.Message;
import java.time.Duration;
import java.time.Instant;

/**
 * Tracks whether it is certain that a caller still waits for its reply. A caller gives up if it gets neither a reply
 * nor a heartbeat within the time that its message contains. The message does not contain the time when it was sent, so
 * the earlier time when the user called nova is used. If the message lacks one of these two times, it is doubtful that
 * the caller waits. Once this is doubtful, it stays doubtful, because a caller that gives up sends no notice. Not
 * thread-safe.
 */
final class CallerDeadline {
    /**
     * The fraction of the message's time in which the caller certainly waits. The rest allows for transit and for
     * clocks that differ.
     */
    private static final double CERTAIN_FRACTION = 0.75;
    /** If the user called nova longer ago than this, it is doubtful from the start that the caller waits. */
    private static final Duration AGE_MAX = Duration.ofDays(1);

    /** How long the caller certainly waits after a reply or heartbeat was sent; 0 if the message has no time limit. */
    private final long certainNanos;
    /** Until when the caller certainly waits, in {@link System#nanoTime}. */
    private long certainUntilNanos;
    private boolean isDoubtful;

    /**
     * @param now when the message arrived
     * @param nowNanos when the message arrived, in {@link System#nanoTime}
     */
    CallerDeadline(Message message, Instant now, long nowNanos) {
        certainNanos = message.heartbeatWithin() == null
                ? 0
                : (long) (message.heartbeatWithin().toNanos() * CERTAIN_FRACTION);
        isDoubtful = message.requestedAt() == null || message.requestedAt().isBefore(now.minus(AGE_MAX));
        Duration age = isDoubtful ? Duration.ZERO : Duration.between(message.requestedAt(), now);
        certainUntilNanos = nowNanos + certainNanos - (age.isNegative() ? 0 : age.toNanos());
    }

    /**
     * Notes that the caller's queue accepted a reply or heartbeat.
     *
     * @param sentNanos when the reply or heartbeat was sent, in {@link System#nanoTime}
     * @param confirmedNanos when RabbitMQ had confirmed the reply or heartbeat, in {@link System#nanoTime}
     */
    void noteAccepted(long sentNanos, long confirmedNanos) {
        isDoubtful |= confirmedNanos - certainUntilNanos > 0;
        certainUntilNanos = sentNanos + certainNanos;
    }

    /**
     * Returns whether the caller may have given up before one of the noted replies and heartbeats was accepted. Also
     * true if the time of the user's request is unknown or more than a day ago.
     */
    boolean isDoubtful() {
        return isDoubtful;
    }
}
