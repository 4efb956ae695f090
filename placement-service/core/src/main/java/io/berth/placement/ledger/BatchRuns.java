package io.berth.placement.ledger;

import io.berth.database.SqlFault;
import io.berth.placement.db.HangingDatabase;
import io.berth.placement.ledger.claim.Claim;
import io.berth.placement.ledger.claim.ClaimResult;
import io.berth.placement.ledger.claim.ClaimedNames;
import io.vertx.core.Vertx;
import io.vertx.sqlclient.Pool;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import org.jboss.logging.Logger;

/**
 * Runs batches of claims from {@link ClaimQueue}. A run of a batch ends when each claim has a result, or waits for a
 * lock that another transaction holds. After a rollback, the cause decides whether the claims fail, or how they run
 * again: all together, on another connection, one by one, or without the claims that wait for locks. Thread-safe.
 */
final class BatchRuns {
    private static final Logger LOG = Logger.getLogger(BatchRuns.class);
    /**
     * Faults that concurrent writers cause, after which the batch is repeated. A foreign key violation means that
     * another transaction deleted a resource class before the batch inserted an inventory of it.
     */
    private static final Set<SqlFault> TRANSIENT =
            EnumSet.of(SqlFault.DEADLOCK_OR_SERIALIZATION, SqlFault.FOREIGN_KEY_VIOLATION);
    /** Faults that do not depend on the claims, so that it would not help to run the claims one by one. */
    private static final Set<SqlFault> INDEPENDENT_OF_CLAIMS =
            EnumSet.of(SqlFault.PRIVILEGE_MISSING, SqlFault.TABLES_MISSING, SqlFault.READ_ONLY);
    /** The most further connections to try if no connection is available, or if it is lost before the commit. */
    private static final int RECONNECTS_MAX = 2;
    /**
     * The delay before another connection is tried. After this time, the pool has noticed the other connections that
     * were lost at the same time.
     */
    private static final Duration RECONNECT_AFTER = Duration.ofMillis(100);

    private final Vertx vertx;
    private final Pool pool;
    private final HangingDatabase database;
    private final ClaimQueue queue;
    private final LedgerMetrics metrics;
    private final LedgerConnections connections;
    private final int repeatsMax;
    private final IdCache idCache = new IdCache();
    private final LockWatch lockWatch;

    /**
     * @param repeatsMax how often a batch is repeated after a conflict with concurrent writers; after that, its claims
     *         end as {@link ClaimResult.Unavailable}
     */
    BatchRuns(
            Vertx vertx, Pool pool, HangingDatabase database, ClaimQueue queue, LedgerConnections connections,
            LedgerMetrics metrics, int repeatsMax) {
        this.vertx = vertx;
        this.pool = pool;
        this.database = database;
        this.queue = queue;
        this.connections = connections;
        this.metrics = metrics;
        this.repeatsMax = repeatsMax;
        this.lockWatch = new LockWatch(vertx, pool, queue, this::beginNext);
    }

    /** Begins a batch of the waiting claims, if a worker is idle and {@link ClaimQueue#next} returns a batch. */
    void beginNext() {
        WorkerSlot slot = queue.next();
        if (slot != null) {
            run(new Attempt(slot.batch(), 0, 0, slot, () -> end(slot)));
        }
    }

    private void afterCommitSent(WorkerSlot slot) {
        queue.recordCommitSent(slot);
        beginNext();
    }

    private void end(WorkerSlot slot) {
        queue.end(slot);
        beginNext();
    }

    /**
     * One transaction of a batch, and how often its claims have been tried before. When the claims of a batch begin to
     * run one by one, the numbers of earlier transactions start again at 0.
     *
     * @param repeats number of earlier transactions of these claims that ended in a conflict with concurrent writers
     * @param reconnects number of earlier transactions of these claims that got no connection or lost it
     * @param onEnd called when every waiter has its result or waits for a lock
     */
    private record Attempt(List<Waiter> waiters, int repeats, int reconnects, WorkerSlot slot, Runnable onEnd) {
        Attempt repeated() {
            return new Attempt(waiters, repeats + 1, reconnects, slot, onEnd);
        }

        Attempt reconnected() {
            return new Attempt(waiters, repeats, reconnects + 1, slot, onEnd);
        }

        Attempt withWaiters(List<Waiter> others) {
            return new Attempt(others, repeats, reconnects, slot, onEnd);
        }
    }

    /** Runs the claims of an attempt that have no result yet. */
    private void run(Attempt previous) {
        Attempt attempt = previous.withWaiters(
                previous.waiters().stream().filter(waiter -> !waiter.isAnswered()).toList());
        if (attempt.waiters().isEmpty()) {
            attempt.onEnd().run();
            return;
        }
        queue.begin(attempt.slot());
        List<Claim> claims = attempt.waiters().stream().map(Waiter::claim).toList();
        Batch.run(pool, claims, attempt.repeats() > 0, idCache, () -> afterCommitSent(attempt.slot()), metrics)
                .onSuccess(end -> {
                    switch (end) {
                        case Batch.End.Done done -> {
                            connections.recordSuccess();
                            for (int i = 0; i < claims.size(); i++) {
                                queue.answer(attempt.waiters().get(i), done.results().get(i));
                            }
                            attempt.onEnd().run();
                        }
                        case Batch.End.Indeterminate lost -> {
                            LOG.warnf("no response to commit claims=%d cause=%s", claims.size(),
                                    lost.cause().getMessage());
                            var indeterminate = new ClaimResult.Indeterminate(
                                    "The database did not respond to the commit, so the claim may be committed or not."
                                            + " Read the consumer's allocations before a retry.");
                            attempt.waiters().forEach(waiter -> queue.answer(waiter, indeterminate));
                            attempt.onEnd().run();
                        }
                        case Batch.End.RolledBack rolledBack -> afterRollback(attempt, rolledBack.cause());
                    }
                });
    }

    /**
     * Handles a rollback: runs the claims again, together or one by one, makes them wait for locks, fails them, or ends
     * them as unavailable.
     */
    private void afterRollback(Attempt attempt, Throwable cause) {
        SqlFault fault = SqlFault.of(cause);
        if (fault == SqlFault.LOCKED) {
            waitForLocks(attempt);
        } else if (cause instanceof LedgerStore.IncompleteRead || TRANSIENT.contains(fault)) {
            if (attempt.repeats() < repeatsMax) {
                metrics.repeated(LedgerMetrics.Repeat.RACED);
                run(attempt.repeated());
            } else {
                LOG.warnf("batch abandoned claims=%d repeats=%d cause=%s", attempt.waiters().size(), attempt.repeats(),
                        cause.getMessage());
                var unavailable = new ClaimResult.Unavailable("Gave up after " + attempt.repeats()
                        + " retries: concurrent updates.");
                attempt.waiters().forEach(waiter -> queue.answer(waiter, unavailable));
                attempt.onEnd().run();
            }
        } else if (fault == SqlFault.UNREACHABLE || fault == SqlFault.LOGIN_REFUSED) {
            if (attempt.reconnects() < RECONNECTS_MAX && !database.hangs()) {
                metrics.repeated(LedgerMetrics.Repeat.RECONNECTED);
                vertx.setTimer(RECONNECT_AFTER.toMillis(), _ -> run(attempt.reconnected()));
            } else {
                connections.recordFailure(cause);
                failAll(attempt, cause);
            }
        } else if (INDEPENDENT_OF_CLAIMS.contains(fault)) {
            failAll(attempt, cause);
        } else if (attempt.waiters().size() > 1) {
            LOG.warnf("batch failed, its claims run one by one claims=%d cause=%s", attempt.waiters().size(),
                    cause.getMessage());
            runOneByOne(attempt);
        } else {
            failAll(attempt, cause);
        }
    }

    private void failAll(Attempt attempt, Throwable cause) {
        attempt.waiters().forEach(waiter -> queue.fail(waiter, cause));
        attempt.onEnd().run();
    }

    /**
     * Handles a lock that another transaction holds: claims that need the lock wait until it is released, and the other
     * claims run again. If no lock is found any more, the claims run one by one; a single claim waits.
     */
    private void waitForLocks(Attempt attempt) {
        List<Waiter> waiters = attempt.waiters();
        ClaimedNames names = Waiter.names(waiters);
        LockQuery.find(pool, names.providersAndConsumers()).onComplete(found -> {
            // If the query fails, all rows that the claims name count as locked until the next check.
            Set<UUID> locked = found.succeeded() ? found.result() : names.providersAndConsumers();
            if (!locked.isEmpty()) {
                waitForLocks(attempt, locked);
            } else if (waiters.size() > 1) {
                runOneByOne(attempt);
            } else {
                // Either the lock has been released, or another transaction is inserting the consumer, whose row is not
                // visible yet. In both cases, the claim waits as if its consumers were locked.
                waitForLocks(attempt, names.consumers());
            }
        });
    }

    private void waitForLocks(Attempt attempt, Set<UUID> locked) {
        List<Waiter> remaining = queue.moveToLockWaits(attempt.slot(), attempt.waiters(), locked);
        LOG.debugf("claims wait for locks claims=%d locked=%s", attempt.waiters().size() - remaining.size(), locked);
        metrics.repeated(LedgerMetrics.Repeat.LOCKED);
        lockWatch.begin();
        run(attempt.withWaiters(remaining));
    }

    private void runOneByOne(Attempt attempt) {
        metrics.repeated(LedgerMetrics.Repeat.ONE_BY_ONE);
        runOneByOne(new ArrayDeque<>(attempt.waiters()), attempt.slot());
    }

    private void runOneByOne(Deque<Waiter> remaining, WorkerSlot slot) {
        Waiter next = remaining.poll();
        if (next == null) {
            end(slot);
        } else {
            run(new Attempt(List.of(next), 0, 0, slot, () -> runOneByOne(remaining, slot)));
        }
    }
}
