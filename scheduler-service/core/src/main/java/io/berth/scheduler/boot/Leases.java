package io.berth.scheduler.boot;

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
 * The records that this replica owns. Leases are short, so that a replica that dies keeps nobody waiting, and those of
 * requests that take longer are renewed together. A lease decides who finishes a request, not what it may write: placement
 * refuses the writes of a former owner.
 */
@Singleton
public class Leases {
    public static final Duration LEASE = Duration.ofSeconds(30);

    private static final Duration RENEW_EVERY = Duration.ofSeconds(5);
    private static final long RENEW_AFTER_NANOS = Duration.ofSeconds(5).toNanos();

    private final BootStore store;
    /** By number of the owner: when it was written or renewed. */
    private final Map<Long, Long> begun = new ConcurrentHashMap<>();

    Leases(BootStore store) {
        this.store = store;
    }

    void start(@Observes StartupEvent started, Recurring recurring) {
        recurring.every(RENEW_EVERY, () -> renew(RENEW_AFTER_NANOS), "leases not renewed");
    }

    /** Once the record is written: one that is not yet there would be taken for one that is gone. */
    void begin(long number) {
        begun.put(number, System.nanoTime());
    }

    void end(long number) {
        begun.remove(number);
    }

    int count() {
        return begun.size();
    }

    /** @param age in nanoseconds, of leases that are old enough */
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
            // One that is not among them any more is closed, or another replica owns it.
            begun.computeIfPresent(number, (key, since) -> renewed.contains(number) ? Long.valueOf(at) : null);
        }
    }
}
