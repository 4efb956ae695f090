package io.berth.scheduler.host.registry.snapshot;

import io.berth.observability.Latency;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import jakarta.inject.Singleton;
import java.util.concurrent.TimeUnit;
import org.jboss.logging.Logger;

/** Measures how far this replica's registry is behind, and the cost of keeping it fresh. */
@Singleton
class RegistryMetrics {
    private static final Logger LOG = Logger.getLogger(RegistryMetrics.class);

    private final Timer done;
    private final Timer failed;
    private volatile long provenNanos;
    private volatile boolean isLoaded;
    private volatile boolean wasLoaded;
    private volatile int computeNodes;
    private volatile int instances;
    private volatile long instanceBytes;
    private volatile boolean isFull;

    RegistryMetrics(MeterRegistry meters) {
        done = question(meters, "done");
        failed = question(meters, "failed");
        Gauge.builder("berth.registry.age", this, RegistryMetrics::ageSeconds)
                .description("Since the registry was last proven fresh; NaN while none is held. Not read while idle")
                .baseUnit("seconds")
                .register(meters);
        Gauge.builder("berth.registry.compute.nodes", this, metrics -> metrics.computeNodes)
                .description("Compute nodes registered")
                .register(meters);
        Gauge.builder("berth.registry.instances", this, metrics -> metrics.instances)
                .description("Registered instances that are held in memory")
                .register(meters);
        Gauge.builder("berth.registry.instances.memory", this, metrics -> metrics.instanceBytes)
                .description("Of the heap, taken by registered instances")
                .baseUnit("bytes")
                .register(meters);
        Gauge.builder("berth.registry.instances.full", this, metrics -> metrics.isFull ? 1 : 0)
                .description("1 while instances are left out, as all would take more than their part of the heap: give it more")
                .register(meters);
    }

    private static Timer question(MeterRegistry meters, String result) {
        return Latency.timer(
                meters, "berth.registry.question", "Questions to the database for what changed", "result", result);
    }

    /** Records a read of Berth's own database. */
    void answered(long askedNanos, boolean isDone) {
        long nanos = System.nanoTime() - askedNanos;
        if (!isDone) {
            isLoaded = false;
            failed.record(nanos, TimeUnit.NANOSECONDS);
            return;
        }
        done.record(nanos, TimeUnit.NANOSECONDS);
        provenNanos = askedNanos;
        isLoaded = true;
        wasLoaded = true;
    }

    /** Records the registry that decisions use from now on, whichever system owns it. */
    void holds(RegistrySnapshot now) {
        computeNodes = now.computeNodeCount();
        instances = now.instanceCount();
        instanceBytes = now.instanceBytes();
        if (now.instancesAreFull() && !isFull) {
            LOG.errorf(
                    "instances left out held=%d: all that are registered would take more than their part of the heap."
                            + " Decisions do not see the others: give the scheduler a larger heap (-Xmx)", instances);
        }
        isFull = now.instancesAreFull();
    }

    /** Returns NaN while no registry is loaded. */
    double ageSeconds() {
        return isLoaded ? (System.nanoTime() - provenNanos) / 1e9 : Double.NaN;
    }

    boolean wasLoaded() {
        return wasLoaded;
    }
}
