package io.berth.scheduler.placementsync;

import io.berth.context.Recurring;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.quarkus.runtime.StartupEvent;
import io.smallrye.mutiny.Uni;
import jakarta.enterprise.event.Observes;
import jakarta.inject.Singleton;
import java.time.Duration;

/**
 * Metrics of the placement sync: the number of pending hosts, whose registered changes placement does not have yet, the
 * age of the oldest of these changes, and the results of this replica's attempts to write them. Number and age are the
 * same on every replica, and are read every 15 s.
 */
@Singleton
class SyncMetrics {
    private static final Duration EVERY = Duration.ofSeconds(15);

    private final SyncStore store;
    private final Counter done;
    private final Counter refused;
    private final Counter unreachable;
    /** The last count. Both numbers are NaN before the first count, after a failed count, and if the sync is off. */
    private volatile SyncStore.Backlog backlog = SyncStore.Backlog.UNKNOWN;

    SyncMetrics(SyncStore store, MeterRegistry meters) {
        this.store = store;
        Gauge.builder("berth.placement.sync.pending", this, metrics -> metrics.backlog.count())
                .description("Hosts whose registered changes placement does not have yet;"
                        + " NaN if the placement sync is off or the last count failed")
                .register(meters);
        Gauge.builder("berth.placement.sync.pending.age", this, metrics -> metrics.backlog.oldestSeconds())
                .description("Age of the oldest of these hosts' changes; 0 if no host is pending,"
                        + " NaN if the placement sync is off or the last count failed")
                .baseUnit("seconds")
                .register(meters);
        done = attempts(meters, "done");
        refused = attempts(meters, "refused");
        unreachable = attempts(meters, "unreachable");
    }

    private static Counter attempts(MeterRegistry meters, String result) {
        return Counter.builder("berth.placement.sync.attempts")
                .description("Attempts of this replica to write a host's registered changes to placement")
                .tag("result", result)
                .register(meters);
    }

    void start(@Observes StartupEvent started, Recurring recurring, SyncRuns runs) {
        if (runs.enabled()) {
            count().subscribe().with(ignored -> {});
            // A failed query sets both gauges to NaN and is not logged. The message appears only if count() throws.
            recurring.every(EVERY, this::count, "pending hosts of the placement sync not counted");
        }
    }

    private Uni<SyncStore.Backlog> count() {
        return store.count()
                .onFailure().recoverWithItem(SyncStore.Backlog.UNKNOWN)
                .invoke(counted -> backlog = counted);
    }

    void countAttempt(SyncResult result) {
        switch (result) {
            case SyncResult.Done _ -> done.increment();
            case SyncResult.Refused _ -> refused.increment();
            case SyncResult.Unreachable _ -> unreachable.increment();
        }
    }
}
