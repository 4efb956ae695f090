package io.berth.scheduler.boot;

import io.berth.context.Recurring;
import io.quarkus.runtime.StartupEvent;
import io.smallrye.mutiny.Uni;
import jakarta.enterprise.event.Observes;
import jakarta.inject.Inject;
import jakarta.inject.Singleton;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.LongSupplier;

/**
 * The boots this replica works on. Leases are short, so that a replica that dies keeps nobody waiting, and those of boots
 * that take longer are renewed together.
 */
@Singleton
public class Leases {
    public static final Duration LEASE = Duration.ofSeconds(30);
    /**
     * In which a claim or a release that was sent may still commit, whatever became of its sender: longer than any timeout of
     * scheduler, placement and database together.
     */
    public static final Duration CLAIM_MAY_COMMIT = Duration.ofMinutes(2);

    private static final Duration RENEW_EVERY = Duration.ofSeconds(5);
    private static final long RENEW_AFTER_NANOS = Duration.ofSeconds(5).toNanos();
    /** No claim is sent in the last part of a lease: another replica's clock and this one's pauses may differ. */
    private static final long SURE_NANOS = LEASE.minusSeconds(10).toNanos();

    private final BootStore store;
    private final LongSupplier nanos;
    /** By token: when the lease began, at the latest. */
    private final Map<UUID, Long> begun = new ConcurrentHashMap<>();

    /** In which a claim without an answer may still commit. */
    static double doubtSeconds(boolean inDoubt) {
        return inDoubt ? CLAIM_MAY_COMMIT.toSeconds() : 0;
    }

    @Inject
    Leases(BootStore store) {
        this(store, System::nanoTime);
    }

    Leases(BootStore store, LongSupplier nanos) {
        this.store = store;
        this.nanos = nanos;
    }

    void start(@Observes StartupEvent started, Recurring recurring) {
        recurring.every(RENEW_EVERY, this::renew, "leases not renewed");
    }

    /**
     * Once the record is written: one that is not yet there would be taken for one that is gone.
     *
     * @param sinceNanos before the statement that wrote it
     */
    void begin(UUID token, long sinceNanos) {
        begun.put(token, sinceNanos);
    }

    void end(UUID token) {
        begun.remove(token);
    }

    /** Whether nobody can have taken the boot over. */
    boolean isSure(UUID token) {
        Long since = begun.get(token);
        return since != null && nanos.getAsLong() - since < SURE_NANOS;
    }

    Uni<Void> renew() {
        long now = nanos.getAsLong();
        List<UUID> due = begun.entrySet().stream()
                .filter(lease -> now - lease.getValue() > RENEW_AFTER_NANOS)
                .map(Map.Entry::getKey)
                .toList();
        return due.isEmpty()
                ? Uni.createFrom().voidItem()
                : store.renew(due, LEASE.toSeconds())
                        .invoke(renewed -> renewed(due, renewed, now))
                        .replaceWithVoid();
    }

    private void renewed(List<UUID> due, Set<UUID> renewed, long at) {
        for (UUID token : due) {
            // One that is not among them any more has been taken over, or is closed: it must not claim.
            begun.computeIfPresent(token, (key, since) -> renewed.contains(token) ? Long.valueOf(at) : null);
        }
    }
}
