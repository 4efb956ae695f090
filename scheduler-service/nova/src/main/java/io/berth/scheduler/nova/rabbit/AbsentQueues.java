package io.berth.scheduler.nova.rabbit;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/**
 * Remembers for a minute which callers' queues were given up because they stayed missing, so that further replies do
 * not wait for them. Not thread-safe.
 */
final class AbsentQueues {
    private static final int QUEUES_MAX = 1_000;
    private static final long GIVEN_UP_NANOS = TimeUnit.SECONDS.toNanos(60);

    private final Map<String, Long> givenUp = new LinkedHashMap<>() {
        @Override
        protected boolean removeEldestEntry(Map.Entry<String, Long> eldest) {
            return size() > QUEUES_MAX;
        }
    };

    boolean isGivenUp(String queue) {
        Long since = givenUp.get(queue);
        if (since != null && System.nanoTime() - since > GIVEN_UP_NANOS) {
            givenUp.remove(queue);
            return false;
        }
        return since != null;
    }

    void giveUp(String queue) {
        givenUp.putIfAbsent(queue, System.nanoTime());
    }

    void isThere(String queue) {
        givenUp.remove(queue);
    }
}
