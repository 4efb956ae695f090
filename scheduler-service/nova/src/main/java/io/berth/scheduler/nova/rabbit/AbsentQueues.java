package io.berth.scheduler.nova.rabbit;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/**
 * The reply queues that were missing for so long that a reply was dropped. For a minute after that, a further reply to
 * such a queue is dropped as soon as an attempt finds no queue. Not thread-safe.
 */
final class AbsentQueues {
    /** The maximum queues; the oldest is forgotten first. */
    private static final int QUEUES_MAX = 1_000;
    private static final long GIVEN_UP_NANOS = TimeUnit.SECONDS.toNanos(60);

    /** When each queue was given up, in {@link System#nanoTime}. */
    private final Map<String, Long> givenUp = new LinkedHashMap<>() {
        @Override
        protected boolean removeEldestEntry(Map.Entry<String, Long> eldest) {
            return size() > QUEUES_MAX;
        }
    };

    /** Returns whether the queue was given up less than {@link #GIVEN_UP_NANOS} ago; forgets it after that time. */
    boolean isGivenUp(String queue) {
        Long since = givenUp.get(queue);
        if (since != null && System.nanoTime() - since > GIVEN_UP_NANOS) {
            givenUp.remove(queue);
            return false;
        }
        return since != null;
    }

    /** Adds a queue. If it was added before, its minute does not start again. */
    void giveUp(String queue) {
        givenUp.putIfAbsent(queue, System.nanoTime());
    }

    /** Forgets a queue, because it has accepted a reply. */
    void forget(String queue) {
        givenUp.remove(queue);
    }
}
