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
 * Metrics of the placement sync: the number of pending hosts of all replicas, counted every 15 s, and the results of
 * this replica's attempts.
 */
@Singleton
class SyncMetrics {
    private static final Duration EVERY = Duration.ofSeconds(15);

    private final SyncStore store;
    private final Counter done;
    private final Counter refused;
    private final Counter unreachable;
    private volatile SyncStore.Left left = SyncStore.Left.UNKNOWN;

    SyncMetrics(SyncStore store, MeterRegistry meters) {
        this.store = store;
        Gauge.builder("berth.mirror.pending", this, metrics -> metrics.left.count())
                .description("Hosts whose registered changes placement does not have yet;"
                        + " NaN if the placement sync is off")
                .register(meters);
        Gauge.builder("berth.mirror.pending.age", this, metrics -> metrics.left.oldestSeconds())
                .description("Age of the oldest of these hosts' changes; 0 if no host is pending, NaN if unknown")
                .baseUnit("seconds")
                .register(meters);
        done = attempts(meters, "done");
        refused = attempts(meters, "refused");
        unreachable = attempts(meters, "unreachable");
    }

    private static Counter attempts(MeterRegistry meters, String result) {
        return Counter.builder("berth.mirror.attempts")
                .description("Attempts of this replica to write a host's registered changes to placement")
                .tag("result", result)
                .register(meters);
    }

    void start(@Observes StartupEvent started, Recurring recurring, SyncRuns runs) {
        if (runs.enabled()) {
            count().subscribe().with(ignored -> {});
            recurring.every(EVERY, this::count, "hosts to be mirrored not counted");
        }
    }

    private Uni<SyncStore.Left> count() {
        return store.count().onFailure().recoverWithItem(SyncStore.Left.UNKNOWN).invoke(counted -> left = counted);
    }

    void ended(SyncedHost result) {
        switch (result) {
            case SyncedHost.Done _ -> done.increment();
            case SyncedHost.Refused _ -> refused.increment();
            case SyncedHost.Unreachable _ -> unreachable.increment();
        }
    }
}
