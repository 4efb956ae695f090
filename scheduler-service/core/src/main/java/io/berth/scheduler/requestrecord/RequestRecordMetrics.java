package io.berth.scheduler.requestrecord;

import io.berth.context.Recurring;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.quarkus.runtime.StartupEvent;
import io.smallrye.mutiny.Uni;
import jakarta.enterprise.event.Observes;
import jakarta.inject.Singleton;
import java.time.Duration;

/**
 * Gauges of the open placement requests and moves on which no replica works, and which are still to be rolled back or
 * confirmed: their number, and the age of the oldest. The records are shared by all replicas, so every replica reports
 * the same values. They are counted every 15 s, and NaN if the last count failed.
 */
@Singleton
class RequestRecordMetrics {
    private static final Duration EVERY = Duration.ofSeconds(15);

    private final RequestRecordStore store;
    private volatile RequestRecordStore.Backlog backlog = RequestRecordStore.Backlog.UNKNOWN;

    RequestRecordMetrics(RequestRecordStore store, MeterRegistry meters) {
        this.store = store;
        Gauge.builder("berth.rollbacks.pending", this, metrics -> metrics.backlog.count())
                .description(
                        "Open placement requests and moves without an owner, which are still to be rolled back or"
                                + " confirmed; counted every 15 s; NaN if the last count failed")
                .register(meters);
        Gauge.builder("berth.rollbacks.pending.age", this, metrics -> metrics.backlog.oldestSeconds())
                .description("Age of the oldest open request or move without an owner; NaN if unknown")
                .baseUnit("seconds")
                .register(meters);
    }

    void start(@Observes StartupEvent started, Recurring recurring) {
        count().subscribe().with(ignored -> {});
        recurring.every(EVERY, this::count, "open request records not counted");
    }

    private Uni<RequestRecordStore.Backlog> count() {
        return store.count().onFailure().recoverWithItem(RequestRecordStore.Backlog.UNKNOWN)
                .invoke(counted -> backlog = counted);
    }
}
