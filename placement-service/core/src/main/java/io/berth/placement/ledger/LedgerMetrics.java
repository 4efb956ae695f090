package io.berth.placement.ledger;

import io.berth.model.Maps;
import io.berth.observability.Latency;
import io.berth.placement.ledger.claim.ClaimResult;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.DistributionSummary;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import jakarta.inject.Singleton;
import java.util.EnumMap;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

/**
 * Metrics of the ledger: the durations of the phases of a batch, the size of batches, the number of batches that run
 * again, the number of waiting claims, and the results of claims.
 */
@Singleton
final class LedgerMetrics {
    private static final String PHASE = "berth.ledger.phase";
    private static final String PHASE_DESCRIPTION = "Wait of a claim in the queue; of a batch: lock (first round trip),"
            + " decide, write and commit (second round trip, both from its start)";

    /** The reasons for which a batch runs again. */
    enum Repeat {
        /**
         * A deadlock, a serialization failure, a foreign key violation, or rows that another transaction deleted or
         * replaced before the batch locked them ({@link LedgerStore.IncompleteRead}).
         */
        RACED,
        /**
         * Some claims wait for a lock that another transaction holds. The batch runs again without these claims, if it
         * has any other.
         */
        LOCKED,
        /** No connection was available, or it was lost before the commit. */
        RECONNECTED,
        /**
         * The batch failed for another reason, or waited for a lock that is no longer found; its claims run one by one,
         * so that only the claim with the fault fails or waits.
         */
        ONE_BY_ONE
    }

    /** The values of the label {@code result}. */
    private enum Result {
        CLAIMED, SETTLED, FENCED, UNAVAILABLE, INDETERMINATE, FAILED, CONSUMER_GENERATION_CONFLICT, NOTHING_ALLOCATED,
        NO_SUCH_PROVIDER, NO_SUCH_RESOURCE_CLASS, NO_INVENTORY, PORTION_REFUSED, CAPACITY_EXCEEDED,
        NO_SUCH_RESHAPED_PROVIDER, PROVIDER_GENERATION_CONFLICT, INVENTORY_IN_USE
    }

    private final MeterRegistry meters;
    private final Timer wait;
    private final Timer lock;
    private final Timer decide;
    private final Timer write;
    private final Timer commit;
    private final DistributionSummary batch;
    private final Map<Result, Counter> results = new EnumMap<>(Result.class);
    private final Map<Repeat, Counter> repeats = new EnumMap<>(Repeat.class);

    LedgerMetrics(MeterRegistry meters) {
        this.meters = meters;
        wait = Latency.timer(meters, PHASE, PHASE_DESCRIPTION, "phase", "wait");
        lock = Latency.timer(meters, PHASE, PHASE_DESCRIPTION, "phase", "lock");
        decide = Latency.timer(meters, PHASE, PHASE_DESCRIPTION, "phase", "decide");
        write = Latency.timer(meters, PHASE, PHASE_DESCRIPTION, "phase", "write");
        commit = Latency.timer(meters, PHASE, PHASE_DESCRIPTION, "phase", "commit");
        batch = DistributionSummary.builder("berth.ledger.batch")
                .description("Claims per batch")
                .baseUnit("claims")
                .serviceLevelObjectives(1, 2, 4, 8, 16, 32, 64, 128)
                .register(meters);
        for (Result result : Result.values()) {
            results.put(result, Counter.builder("berth.ledger.claims")
                    .description("Claims by result: claimed, settled, unavailable, indeterminate, failed, or a refusal")
                    .tag("result", name(result))
                    .register(meters));
        }
        for (Repeat repeat : Repeat.values()) {
            repeats.put(repeat, Counter.builder("berth.ledger.repeats")
                    .description("Batches that ran again, by cause")
                    .tag("cause", name(repeat))
                    .register(meters));
        }
    }

    private static String name(Enum<?> constant) {
        return constant.name().toLowerCase(Locale.ROOT);
    }

    /**
     * Publishes the number of waiting claims.
     *
     * @param waiting returns the number; called at every scrape
     */
    void publishQueueLength(Supplier<Number> waiting) {
        Gauge.builder("berth.ledger.queue", waiting)
                .description("Claims that wait for a batch, or for a lock")
                .baseUnit("claims")
                .register(meters);
    }

    /** Records how long a claim waited for a batch, in nanoseconds. */
    void waited(long nanos) {
        wait.record(nanos, TimeUnit.NANOSECONDS);
    }

    /** Records the number of claims in a batch that begins. */
    void begun(int claims) {
        batch.record(claims);
    }

    /** Records the duration of the first round trip of a batch, which locks and reads, in nanoseconds. */
    void locked(long nanos) {
        lock.record(nanos, TimeUnit.NANOSECONDS);
    }

    /** Records the duration of a batch's decision, in nanoseconds. */
    void decided(long nanos) {
        decide.record(nanos, TimeUnit.NANOSECONDS);
    }

    /**
     * Records the duration until PostgreSQL responded to the writes. A batch of plain releases sends its locks together
     * with the writes, so its duration includes the wait for locks.
     *
     * @param nanos nanoseconds since the writes and COMMIT were sent
     */
    void written(long nanos) {
        write.record(nanos, TimeUnit.NANOSECONDS);
    }

    /**
     * Records the duration until PostgreSQL responded to COMMIT.
     *
     * @param nanos as for {@link #written}
     */
    void committed(long nanos) {
        commit.record(nanos, TimeUnit.NANOSECONDS);
    }

    /** Counts a batch that runs again. */
    void repeated(Repeat cause) {
        Maps.require(repeats, cause).increment();
    }

    /** Counts the result of a claim. */
    void countResult(ClaimResult result) {
        Maps.require(results, switch (result) {
            case ClaimResult.Claimed _ -> Result.CLAIMED;
            case ClaimResult.Settled _ -> Result.SETTLED;
            case ClaimResult.Fenced _ -> Result.FENCED;
            case ClaimResult.Unavailable _ -> Result.UNAVAILABLE;
            case ClaimResult.Indeterminate _ -> Result.INDETERMINATE;
            case ClaimResult.ConsumerGenerationConflict _ -> Result.CONSUMER_GENERATION_CONFLICT;
            case ClaimResult.NothingAllocated _ -> Result.NOTHING_ALLOCATED;
            case ClaimResult.NoSuchProvider _ -> Result.NO_SUCH_PROVIDER;
            case ClaimResult.NoSuchResourceClass _ -> Result.NO_SUCH_RESOURCE_CLASS;
            case ClaimResult.NoInventory _ -> Result.NO_INVENTORY;
            case ClaimResult.PortionRefused _ -> Result.PORTION_REFUSED;
            case ClaimResult.CapacityExceeded _ -> Result.CAPACITY_EXCEEDED;
            case ClaimResult.NoSuchReshapedProvider _ -> Result.NO_SUCH_RESHAPED_PROVIDER;
            case ClaimResult.ProviderGenerationConflict _ -> Result.PROVIDER_GENERATION_CONFLICT;
            case ClaimResult.InventoryInUse _ -> Result.INVENTORY_IN_USE;
        }).increment();
    }

    /** Counts a claim that failed without a result. */
    void countFailure() {
        Maps.require(results, Result.FAILED).increment();
    }
}
