package io.berth.scheduler.requestrecord;

import io.berth.context.Recurring;
import io.quarkus.runtime.StartupEvent;
import io.smallrye.mutiny.Uni;
import jakarta.enterprise.event.Observes;
import jakarta.inject.Singleton;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Tracks the records that this replica owns. RequestLeases are short, so that clients do not wait long after a replica
 * dies; those of slow requests are renewed together. A lease decides which replica finishes a request, not what it may
 * write: placement refuses the writes of a former owner by their fence numbers.
 */
@Singleton
public class RequestLeases {
    public static final Duration LEASE = Duration.ofSeconds(30);

    private static final Duration RENEW_EVERY = Duration.ofSeconds(5);
    private static final long RENEW_AFTER_NANOS = Duration.ofSeconds(5).toNanos();

    private final RequestRecordStore store;
    /** When each lease was written or renewed, by its owner's number. */
    private final Map<Long, Long> begun = new ConcurrentHashMap<>();

    RequestLeases(RequestRecordStore store) {
        this.store = store;
    }

    void start(@Observes StartupEvent started, Recurring recurring) {
        recurring.every(RENEW_EVERY, () -> renew(RENEW_AFTER_NANOS), "leases not renewed");
    }

    /** Call it once the record is written: the renewal would treat a record that does not exist yet as gone. */
    void begin(long number) {
        begun.put(number, System.nanoTime());
    }

    void end(long number) {
        begun.remove(number);
    }

    int count() {
        return begun.size();
    }

    /** @param age least age in nanoseconds of the leases to renew */
    Uni<Void> renew(long age) {
        long now = System.nanoTime();
        List<Long> due = begun.entrySet().stream()
                .filter(lease -> now - lease.getValue() >= age)
                .map(Map.Entry::getKey)
                .toList();
        return due.isEmpty()
                ? Uni.createFrom().voidItem()
                : store.renew(due, LEASE.toSeconds()).invoke(renewed -> renewed(due, renewed, now)).replaceWithVoid();
    }

    private void renewed(List<Long> due, Set<Long> renewed, long at) {
        for (Long number : due) {
            // A lease that was not renewed is closed, or owned by another replica.
            begun.computeIfPresent(number, (key, since) -> renewed.contains(number) ? Long.valueOf(at) : null);
        }
    }
}
