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
 * Tracks the records that this replica owns, and renews the leases of slow requests, all in one statement. Leases are
 * short, so that clients do not wait long after a replica has died. A lease only decides which replica finishes a
 * request. It does not protect placement from the writes of a former owner: fence numbers do
 * ({@link io.berth.scheduler.lease.FenceNumbers}). A lease is identified by the first of the fence numbers that the
 * owner has drawn. Thread-safe.
 */
@Singleton
public class RequestLeases {
    /** The length of a lease. */
    public static final Duration LEASE = Duration.ofSeconds(30);

    private static final Duration RENEW_EVERY = Duration.ofSeconds(5);
    /** Younger leases are not renewed, so that requests that end soon cause no renewal. */
    private static final long RENEW_AFTER_NANOS = Duration.ofSeconds(5).toNanos();

    private final RequestRecordStore store;
    /** First fence number of an owner to the {@code System.nanoTime} at which its lease was written or renewed. */
    private final Map<Long, Long> renewedAtNanos = new ConcurrentHashMap<>();

    RequestLeases(RequestRecordStore store) {
        this.store = store;
    }

    void start(@Observes StartupEvent started, Recurring recurring) {
        recurring.every(RENEW_EVERY, () -> renew(RENEW_AFTER_NANOS), "leases not renewed");
    }

    /**
     * Adds a lease that is to be renewed. Must be called after the record is written, because a lease whose record is
     * not found is removed at the next renewal.
     *
     * @param ownerFirstNumber first fence number of the owner
     */
    void begin(long ownerFirstNumber) {
        renewedAtNanos.put(ownerFirstNumber, System.nanoTime());
    }

    /** Removes a lease, so that it is not renewed any more. */
    void end(long ownerFirstNumber) {
        renewedAtNanos.remove(ownerFirstNumber);
    }

    int count() {
        return renewedAtNanos.size();
    }

    /**
     * Renews the leases that were written or last renewed at least {@code minAgeNanos} ago. Removes those that
     * cannot be renewed.
     */
    Uni<Void> renew(long minAgeNanos) {
        long now = System.nanoTime();
        List<Long> due = renewedAtNanos.entrySet().stream()
                .filter(lease -> now - lease.getValue() >= minAgeNanos)
                .map(Map.Entry::getKey)
                .toList();
        return due.isEmpty()
                ? Uni.createFrom().voidItem()
                : store.renew(due, LEASE.toSeconds())
                        .invoke(renewed -> keepRenewed(due, renewed, now))
                        .replaceWithVoid();
    }

    private void keepRenewed(List<Long> due, Set<Long> renewed, long renewedAt) {
        for (Long ownerFirstNumber : due) {
            // If a lease was not renewed, its record is closed, or owned by another replica.
            renewedAtNanos.computeIfPresent(
                    ownerFirstNumber, (_, _) -> renewed.contains(ownerFirstNumber) ? Long.valueOf(renewedAt) : null);
        }
    }
}
