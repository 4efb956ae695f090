package io.berth.scheduler.host.registry;

import io.berth.observability.Latency;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import jakarta.annotation.Nullable;
import jakarta.inject.Singleton;
import java.util.concurrent.TimeUnit;

/** How far this replica's picture of the registry is behind, and what keeping it fresh costs. */
@Singleton
class RegistryMetrics {
    private final Timer done;
    private final Timer failed;
    private volatile long provenNanos;
    private volatile boolean isLoaded;
    private volatile boolean wasLoaded;
    private volatile int computeNodes;

    RegistryMetrics(MeterRegistry meters) {
        done = question(meters, "done");
        failed = question(meters, "failed");
        Gauge.builder("berth.registry.age", this, RegistryMetrics::ageSeconds)
                .description("Since the registry was last proven fresh; NaN while none is held. Nobody asks while idle")
                .baseUnit("seconds")
                .register(meters);
        Gauge.builder("berth.registry.compute.nodes", this, metrics -> metrics.computeNodes)
                .description("Compute nodes registered")
                .register(meters);
    }

    private static Timer question(MeterRegistry meters, String result) {
        return Latency.timer(
                meters, "berth.registry.question", "Questions to the database for what changed", "result", result);
    }

    /** @param now null: it failed */
    void answered(long askedNanos, @Nullable RegistrySnapshot now) {
        long nanos = System.nanoTime() - askedNanos;
        if (now == null) {
            isLoaded = false;
            failed.record(nanos, TimeUnit.NANOSECONDS);
            return;
        }
        done.record(nanos, TimeUnit.NANOSECONDS);
        provenNanos = askedNanos;
        computeNodes = now.computeNodeCount();
        isLoaded = true;
        wasLoaded = true;
    }

    /** NaN while nothing is held. */
    double ageSeconds() {
        return isLoaded ? (System.nanoTime() - provenNanos) / 1e9 : Double.NaN;
    }

    boolean wasLoaded() {
        return wasLoaded;
    }
}
