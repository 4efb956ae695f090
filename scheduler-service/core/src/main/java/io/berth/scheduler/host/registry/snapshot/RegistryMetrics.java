package io.berth.scheduler.host.registry.snapshot;

import io.berth.observability.Latency;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import jakarta.inject.Singleton;
import java.util.concurrent.TimeUnit;
import org.jboss.logging.Logger;

/** Metrics of the registry in memory: its age, its size, and the duration of the reads that keep it fresh. */
@Singleton
class RegistryMetrics {
    private static final Logger LOG = Logger.getLogger(RegistryMetrics.class);

    private final Timer successfulReads;
    private final Timer failedReads;
    /** Start of the last successful read by {@link System#nanoTime}. */
    private volatile long lastReadNanos;
    private volatile boolean wasLastReadSuccessful;
    private volatile boolean wasLoaded;
    private volatile int computeNodes;
    private volatile int instances;
    private volatile long instanceBytes;
    private volatile boolean isFull;

    RegistryMetrics(MeterRegistry meters) {
        successfulReads = timer(meters, "done");
        failedReads = timer(meters, "failed");
        Gauge.builder("berth.registry.age", this, RegistryMetrics::ageSeconds)
                .description("Time since the start of the last successful read of the registry;"
                        + " NaN if the last read failed")
                .baseUnit("seconds")
                .register(meters);
        Gauge.builder("berth.registry.compute.nodes", this, metrics -> metrics.computeNodes)
                .description("Registered compute nodes")
                .register(meters);
        Gauge.builder("berth.registry.instances", this, metrics -> metrics.instances)
                .description("Registered instances that are held in memory")
                .register(meters);
        Gauge.builder("berth.registry.instances.memory", this, metrics -> metrics.instanceBytes)
                .description("Estimated heap bytes of registered instances")
                .baseUnit("bytes")
                .register(meters);
        Gauge.builder("berth.registry.instances.full", this, metrics -> metrics.isFull ? 1 : 0)
                .description("1 while registered instances are omitted because all would exceed their part of the heap")
                .register(meters);
    }

    private static Timer timer(MeterRegistry meters, String result) {
        return Latency.timer(
                meters, "berth.registry.refresh", "Reads of the registry's changes from the database",
                "result", result);
    }

    /**
     * Records the end of a read of Berth's own database.
     *
     * @param beganNanos start of the read by {@link System#nanoTime}
     * @param isSuccessful false if the read failed
     */
    void recordRead(long beganNanos, boolean isSuccessful) {
        long nanos = System.nanoTime() - beganNanos;
        if (!isSuccessful) {
            wasLastReadSuccessful = false;
            failedReads.record(nanos, TimeUnit.NANOSECONDS);
            return;
        }
        successfulReads.record(nanos, TimeUnit.NANOSECONDS);
        lastReadNanos = beganNanos;
        wasLastReadSuccessful = true;
        wasLoaded = true;
    }

    /**
     * Records the size of the registry that decisions use from now on, and logs an error when instances begin to be
     * omitted.
     */
    void recordSize(RegistrySnapshot registry) {
        computeNodes = registry.computeNodeCount();
        instances = registry.instanceCount();
        instanceBytes = registry.instanceBytes();
        if (registry.hasOmittedInstances() && !isFull) {
            LOG.errorf(
                    "instances omitted held=%d: all registered instances would take more than their part of the heap."
                            + " Decisions do not see the omitted ones: give the scheduler a larger heap (-Xmx)",
                    instances);
        }
        isFull = registry.hasOmittedInstances();
    }

    /** Returns the seconds since the start of the last successful read; NaN if the last read failed. */
    double ageSeconds() {
        return wasLastReadSuccessful ? (System.nanoTime() - lastReadNanos) / 1e9 : Double.NaN;
    }

    /** Returns whether a read has ever succeeded. */
    boolean wasLoaded() {
        return wasLoaded;
    }
}
