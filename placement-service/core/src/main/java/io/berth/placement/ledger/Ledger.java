package io.berth.placement.ledger;

import io.berth.context.CallerContext;
import io.berth.context.Recurring;
import io.berth.placement.db.HangingDatabase;
import io.berth.placement.ledger.claim.Claim;
import io.berth.placement.ledger.claim.ClaimResult;
import io.quarkus.reactive.datasource.ReactiveDataSource;
import io.quarkus.runtime.ShutdownEvent;
import io.quarkus.runtime.StartupEvent;
import io.smallrye.mutiny.Uni;
import io.vertx.core.Vertx;
import io.vertx.sqlclient.Pool;
import jakarta.annotation.Nullable;
import jakarta.enterprise.event.Observes;
import jakarta.inject.Inject;
import jakarta.inject.Singleton;
import java.time.Duration;
import org.eclipse.microprofile.config.inject.ConfigProperty;

/**
 * Decides and writes the allocations that clients request. {@link Claim}s (requests to change allocations) that arrive
 * while a batch is at work wait in a queue and become the next batch; so batches grow with the load, and a claim that
 * arrives alone is not delayed. A batch is at work until it holds all its locks and has sent COMMIT; the next batch
 * begins while PostgreSQL commits. If a worker is idle, a further batch also begins beside a batch at work, once the
 * waiting claims fill a batch, or the batch at work is stalled ({@link WorkerSlot#isStalled}).
 *
 * <p>If a claim needs a lock that another transaction holds, its batch is rolled back after {@code lock_timeout}. The
 * claim then waits in memory until the lock is released, and so do later claims that name the locked rows. The other
 * claims of the batch run again at once. Until the timeout, the stalled batch keeps its own locks, and claims that name
 * any of its providers or consumers stay in the queue.
 *
 * <p>A result is delivered when the claim's transaction has ended, on the Vert.x context of the submitter. Thread-safe.
 * No method blocks except {@link #drain}. The queue is bounded. A claim that has waited for longer than {@link
 * #WAIT_MAX} gets a result within a second, even if its transaction has not ended.
 *
 * <p>{@link ClaimQueue} holds the waiting claims, {@link BatchRuns} runs batches.
 */
@Singleton
public final class Ledger {
    /**
     * The time after which a claim that still has no result gets one; the ledger looks for such claims every second.
     */
    private static final Duration WAIT_MAX = Duration.ofSeconds(30);
    /** The longest time for which a stopping service waits for claims. */
    private static final Duration DRAIN_MAX = Duration.ofSeconds(10);

    private final ClaimQueue queue;
    private final LedgerConnections connections;
    private final BatchRuns batchRuns;
    private final LedgerMetrics metrics;

    /**
     * The limits of the queue and of its batches.
     *
     * @param batchMax the most claims in one transaction
     * @param queueMax the most claims that wait; once half as many wait for locks, a further claim on locked rows is
     *         refused
     * @param workers the most concurrent transactions, including those that only wait for the response to their COMMIT
     * @param repeatsMax how often a batch is repeated after a conflict with concurrent writers
     * @param waitMax the time after which a claim gets a result, whether it waits for a batch, a lock or a commit
     */
    record Limits(int batchMax, int queueMax, int workers, int repeatsMax, Duration waitMax) {
        static final Limits DEFAULT = new Limits(128, 4_096, 3, 10);

        Limits(int batchMax, int queueMax, int workers, int repeatsMax) {
            this(batchMax, queueMax, workers, repeatsMax, WAIT_MAX);
        }

        Limits {
            if (batchMax < 1 || queueMax < 1 || workers < 1 || repeatsMax < 0) {
                throw new IllegalArgumentException("the ledger's limits are counts of at least 1: batch-max=" + batchMax
                        + " queue-max=" + queueMax + " workers=" + workers
                        + ", and allocation-conflict-retry-count of at least 0: " + repeatsMax);
            }
        }
    }

    /**
     * @param batchMax the most claims in one transaction
     * @param queueMax the most claims that wait for a transaction or a lock; a further claim gets 503. Once half as
     *         many wait for locks of other transactions, a further claim on locked rows also gets 503
     * @param workers the most concurrent transactions, each on a separate connection
     * @param repeatsMax how often a batch is repeated after a conflict with concurrent writers; after that, its claims
     *         get 503
     */
    @Inject
    Ledger(
            Vertx vertx,
            @ReactiveDataSource("ledger") Pool pool,
            HangingDatabase database,
            @ConfigProperty(name = "berth.placement.ledger.batch-max", defaultValue = "128") int batchMax,
            @ConfigProperty(name = "berth.placement.ledger.queue-max", defaultValue = "4096") int queueMax,
            @ConfigProperty(name = "berth.placement.ledger.workers", defaultValue = "3") int workers,
            @ConfigProperty(name = "berth.placement.placement.allocation-conflict-retry-count",
                    defaultValue = "10") int repeatsMax,
            LedgerMetrics metrics) {
        this(vertx, pool, database, new Limits(batchMax, queueMax, workers, repeatsMax), metrics);
    }

    Ledger(Vertx vertx, Pool pool, Limits limits, LedgerMetrics metrics) {
        this(vertx, pool, new HangingDatabase(), limits, metrics);
    }

    private Ledger(Vertx vertx, Pool pool, HangingDatabase database, Limits limits, LedgerMetrics metrics) {
        this.metrics = metrics;
        queue = new ClaimQueue(limits, database, metrics);
        connections = new LedgerConnections(pool);
        batchRuns = new BatchRuns(vertx, pool, database, queue, connections, metrics, limits.repeatsMax());
        metrics.publishQueueLength(queue::length);
    }

    /** Returns the reason for which no claim can be accepted or written at present; null if there is none. */
    @Nullable String refusalReason() {
        String refusal = queue.refusalReason();
        return refusal == null ? connections.failureReason() : refusal;
    }

    /** Returns the number of claims that wait for a batch or for a lock. */
    int queueLength() {
        return queue.length();
    }

    /**
     * Submits a claim; each subscription submits it again. The result arrives on the caller's Vert.x context: when the
     * claim's transaction has ended, when the claim has waited too long, or at once if the queue refuses the claim. The
     * Uni fails only if no connection can be used, if PostgreSQL refuses a statement for a reason other than concurrent
     * writers, or because of a bug; nothing was written then.
     */
    public Uni<ClaimResult> submit(Claim claim) {
        return Uni.createFrom().emitter(emitter -> {
            String refusal = queue.add(new Waiter(claim, emitter, CallerContext.executor()));
            if (refusal != null) {
                var refused = new ClaimResult.Unavailable(refusal);
                metrics.countResult(refused);
                emitter.complete(refused);
            } else {
                batchRuns.beginNext();
            }
        });
    }

    void start(@Observes StartupEvent started, Recurring recurring) {
        recurring.every(
                Duration.ofSeconds(1), () -> Uni.createFrom().voidItem().invoke(this::completeLate),
                "late claims not answered");
        recurring.every(Duration.ofSeconds(1), this::checkConnection, "connection not checked");
    }

    /**
     * Checks that a connection is available, unless a batch is running: a running batch detects a missing connection
     * itself, and running batches may use all connections.
     */
    private Uni<?> checkConnection() {
        return queue.isAtRest() ? connections.check() : Uni.createFrom().voidItem();
    }

    /** Completes every claim that has waited for longer than {@code waitMax}, and begins a batch if possible. */
    void completeLate() {
        queue.completeLate();
        // Begins claims that wait because of a stalled batch, even if no further claim arrives.
        batchRuns.beginNext();
    }

    /** Stops accepting claims, and blocks until the accepted claims have results, at most for {@link #DRAIN_MAX}. */
    void drain(@Observes ShutdownEvent event) throws InterruptedException {
        queue.drain(DRAIN_MAX);
    }
}
