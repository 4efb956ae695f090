package io.berth.placement.db;

import io.berth.observability.Latency;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import io.smallrye.mutiny.Uni;
import jakarta.inject.Singleton;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

/**
 * Metrics of transactions that change the catalogue (providers, inventories, traits, aggregates, resource classes, but
 * not allocations), including the trial transactions of {@link CatalogueStarted}. The durations include waits for
 * connections and locks, and repetitions after a deadlock or a serialization failure.
 */
@Singleton
final class CatalogueMetrics {
    private final Timer done;
    private final Timer failed;
    /** Attempts of transactions that ended in a deadlock or a serialization failure. */
    private final Counter failedAttempts;

    CatalogueMetrics(MeterRegistry meters) {
        done = timer(meters, "done");
        failed = timer(meters, "failed");
        failedAttempts = Counter.builder("berth.catalogue.repeats")
                .description("Catalogue transactions that ended in a deadlock or a serialization failure")
                .register(meters);
    }

    private static Timer timer(MeterRegistry meters, String result) {
        return Latency.timer(
                meters, "berth.catalogue.write", "Catalogue transactions, repeats included", "result", result);
    }

    /** Runs the write and records its duration, as done if the write returned an item, otherwise as failed. */
    <T> Uni<T> measured(Supplier<Uni<T>> write) {
        return Uni.createFrom().deferred(() -> {
            long started = System.nanoTime();
            return write.get().onItemOrFailure().invoke(
                    (item, failure) -> (failure == null ? done : failed)
                            .record(System.nanoTime() - started, TimeUnit.NANOSECONDS));
        });
    }

    /** Counts an attempt that ended in a deadlock or a serialization failure. */
    void countFailedAttempt() {
        failedAttempts.increment();
    }
}
