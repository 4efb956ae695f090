package io.berth.scheduler.nova.rabbit;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/**
 * The reply queues that were given up: they were missing for so long that a reply was dropped. For a minute, a further
 * reply to such a queue is dropped after the first attempt that finds no queue. Not thread-safe.
 */
final class GivenUpQueues {
    /** The maximum number of queues; the queue that was given up first is forgotten first. */
    private static final int QUEUES_MAX = 1_000;
    /** How long a queue counts as given up. */
    private static final long GIVEN_UP_NANOS = TimeUnit.SECONDS.toNanos(60);

    /** When each queue was given up, by name, in {@link System#nanoTime}. */
    private final Map<String, Long> givenUpNanos = new LinkedHashMap<>() {
        @Override
        protected boolean removeEldestEntry(Map.Entry<String, Long> eldest) {
            return size() > QUEUES_MAX;
        }
    };

    /**
     * Returns whether the queue was given up less than {@link #GIVEN_UP_NANOS} ago. Forgets a queue that was given up
     * earlier.
     */
    boolean isGivenUp(String queue) {
        Long whenNanos = givenUpNanos.get(queue);
        if (whenNanos != null && System.nanoTime() - whenNanos > GIVEN_UP_NANOS) {
            givenUpNanos.remove(queue);
            return false;
        }
        return whenNanos != null;
    }

    /** Adds a queue. If it was added before, its minute does not start again. */
    void giveUp(String queue) {
        givenUpNanos.putIfAbsent(queue, System.nanoTime());
    }

    /** Forgets a queue, because it has accepted a reply. */
    void forget(String queue) {
        givenUpNanos.remove(queue);
    }
}
