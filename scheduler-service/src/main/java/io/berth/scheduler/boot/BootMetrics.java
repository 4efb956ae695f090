package io.berth.scheduler.boot;

import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.quarkus.runtime.ShutdownEvent;
import io.quarkus.runtime.StartupEvent;
import io.vertx.core.Vertx;
import jakarta.enterprise.event.Observes;
import jakarta.inject.Singleton;

/** Boots that are still to be taken back or confirmed, as all replicas share them; counted every {@value #EVERY_MS} ms. */
@Singleton
class BootMetrics {
    private static final long EVERY_MS = 15_000;

    private final BootStore store;
    private final Vertx vertx;
    private volatile BootStore.Left left = BootStore.Left.UNKNOWN;
    private long timer = -1;

    BootMetrics(BootStore store, Vertx vertx, MeterRegistry meters) {
        this.store = store;
        this.vertx = vertx;
        Gauge.builder("berth.releases.pending", this, metrics -> metrics.left.count())
                .description("Requests whose claims are still to be taken back; NaN while not known")
                .register(meters);
        Gauge.builder("berth.releases.pending.age", this, metrics -> metrics.left.oldestSeconds())
                .description("Age of the oldest of them; NaN while not known")
                .baseUnit("seconds")
                .register(meters);
    }

    void start(@Observes StartupEvent started) {
        count();
        timer = vertx.setPeriodic(EVERY_MS, tick -> count());
    }

    void stop(@Observes ShutdownEvent stopping) {
        vertx.cancelTimer(timer);
    }

    private void count() {
        store.count().subscribe().with(
                counted -> left = counted, failure -> left = BootStore.Left.UNKNOWN);
    }
}
