package io.berth.placement.fleet;

import io.berth.observability.Latency;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import io.micrometer.core.instrument.composite.CompositeMeterRegistry;
import jakarta.annotation.Nullable;
import jakarta.inject.Singleton;
import java.util.concurrent.TimeUnit;
import org.jboss.logging.Logger;

/**
 * Metrics of this replica's view: its age, its size, the trees with providers that it {@linkplain FleetView#leftOut
 * leaves out}, and the cost of keeping it up to date. Thread-safe.
 */
@Singleton
final class FleetMetrics {
    private static final Logger LOG = Logger.getLogger(FleetMetrics.class);

    private final Timer caughtUp;
    private final Timer loaded;
    private final Timer failed;
    private final Counter changes;
    /** {@link System#nanoTime} at the start of the latest successful read, up to which the view is complete. */
    private volatile long upToDateNanos;
    /** True if the latest read succeeded. */
    private volatile boolean latestReadSucceeded;
    /** True if any read has succeeded. */
    private volatile boolean wasLoaded;
    private volatile int providers;
    private volatile int lastChanges;
    private volatile LeftOutProviders leftOut = LeftOutProviders.NOTHING;

    FleetMetrics(MeterRegistry meters) {
        caughtUp = timer(meters, "caught_up");
        loaded = timer(meters, "loaded");
        failed = timer(meters, "failed");
        changes = Counter.builder("berth.fleet.changes")
                .description("Changes that were applied to the view")
                .register(meters);
        Gauge.builder("berth.fleet.age", this, FleetMetrics::ageSeconds)
                .description("Time since the view was last up to date; NaN if the latest read failed")
                .baseUnit("seconds")
                .register(meters);
        Gauge.builder("berth.fleet.providers", this, metrics -> metrics.providers)
                .description("Resource providers in the view")
                .register(meters);
        Gauge.builder("berth.fleet.trees.left.out", this, metrics -> metrics.leftOut.trees())
                .description("Trees with providers that are left out because their parents do not lead to their root")
                .register(meters);
    }

    /** Returns an instance whose metrics are not published. */
    static FleetMetrics none() {
        return new FleetMetrics(new CompositeMeterRegistry());
    }

    private static Timer timer(MeterRegistry meters, String result) {
        return Latency.timer(
                meters, "berth.fleet.refresh",
                "Reads of the fleet by result: caught_up (changes), loaded (everything), failed", "result", result);
    }

    /**
     * Records the end of a catch-up or full load.
     *
     * @param startNanos {@link System#nanoTime} at the start of the read
     * @param result the result; null if the read failed
     */
    void recordRead(long startNanos, @Nullable FleetStore.LoadedFleet result) {
        long nanos = System.nanoTime() - startNanos;
        if (result == null) {
            latestReadSucceeded = false;
            failed.record(nanos, TimeUnit.NANOSECONDS);
            return;
        }
        boolean isCaughtUp = result.changes() != FleetStore.LoadedFleet.ALL;
        (isCaughtUp ? caughtUp : loaded).record(nanos, TimeUnit.NANOSECONDS);
        if (result.changes() > 0) {
            changes.increment(result.changes());
        }
        lastChanges = Math.max(0, result.changes());
        // The view shows the commits before the start of the read, not those until its end.
        upToDateNanos = startNanos;
        providers = result.view().providerCount();
        recordLeftOut(LeftOutProviders.of(result.view()));
        latestReadSucceeded = true;
        wasLoaded = true;
    }

    /** Logs a change of the providers that the view leaves out. */
    private void recordLeftOut(LeftOutProviders now) {
        if (now.equals(leftOut)) {
            return;
        }
        leftOut = now;
        if (now.trees() == 0) {
            LOG.info("no resource provider is left out of responses any more");
        } else {
            LOG.errorf("left out of responses, because parents do not lead to the root: trees=%d providers=%d: %s."
                    + " See GET /berth/v1/audit", now.trees(), now.providers().size(), now.shown());
        }
    }

    /** Returns the seconds since the view was last up to date; NaN if the latest read failed or none has ended. */
    double ageSeconds() {
        return latestReadSucceeded ? (System.nanoTime() - upToDateNanos) / 1e9 : Double.NaN;
    }

    /** Returns whether the fleet has been loaded since the start. */
    boolean wasLoaded() {
        return wasLoaded;
    }

    /** Returns the number of changes that the latest successful read applied; 0 after a full load. */
    int lastChanges() {
        return lastChanges;
    }
}
