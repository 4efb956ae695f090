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
 * lock that another transaction holds. After a rollback, the claims run again, depending on the cause: all of them, on
 * another connection, one by one, or without the claims that wait for locks. Thread-safe.
 */
final class BatchRuns {
    private static final Logger LOG = Logger.getLogger(BatchRuns.class);
    /**
     * Faults that concurrent writers cause, after which the batch is repeated. A foreign key violation means that
     * another transaction deleted a resource class before the batch inserted an inventory of it.
     */
    private static final Set<SqlFault> TRANSIENT =
            EnumSet.of(SqlFault.DEADLOCK_OR_SERIALIZATION, SqlFault.FOREIGN_KEY_VIOLATION);
    /** Faults that do not depend on the claims, so that to run them one by one would not help. */
    private static final Set<SqlFault> OF_ALL = EnumSet.of(SqlFault.PRIVILEGE_MISSING, SqlFault.TABLES_MISSING);
    /** The most further connections to try if a connection is lost before the commit. */
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
    private final IdCache knownIds = new IdCache();
    private final LockWatch lockWatch;

    /** @param repeatsMax how often a batch is tried again after a deadlock or a serialization failure */
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

    private void commit(WorkerSlot slot) {
        queue.commit(slot);
        beginNext();
    }

    private void end(WorkerSlot slot) {
        queue.end(slot);
        beginNext();
    }

    /**
     * One transaction, and what preceded it.
     *
     * @param repeats number of earlier transactions of these claims that ended in a conflict with other writers
     * @param reconnects number of earlier transactions of these claims that lost their connection
     * @param then called when every waiter has its result or waits for a lock
     */
    private record Attempt(List<Waiter> waiters, int repeats, int reconnects, WorkerSlot slot, Runnable then) {
        Attempt repeated() {
            return new Attempt(waiters, repeats + 1, reconnects, slot, then);
        }

        Attempt reconnected() {
            return new Attempt(waiters, repeats, reconnects + 1, slot, then);
        }

        Attempt of(List<Waiter> some) {
            return new Attempt(some, repeats, reconnects, slot, then);
        }
    }

    /** Runs those of the claims that have no result yet. */
    private void run(Attempt started) {
        Attempt attempt = started.of(started.waiters().stream().filter(waiter -> !waiter.isAnswered()).toList());
        if (attempt.waiters().isEmpty()) {
            attempt.then().run();
            return;
        }
        queue.begin(attempt.slot());
        List<Claim> claims = attempt.waiters().stream().map(Waiter::claim).toList();
        Batch.run(pool, claims, attempt.repeats() > 0, knownIds, () -> commit(attempt.slot()), metrics)
                .onSuccess(end -> {
                    switch (end) {
                        case Batch.End.Done done -> {
                            connections.found();
                            for (int i = 0; i < claims.size(); i++) {
                                queue.answer(attempt.waiters().get(i), done.results().get(i));
                            }
                            attempt.then().run();
                        }
                        case Batch.End.Indeterminate lost -> {
                            LOG.warnf("no response to commit claims=%d cause=%s", claims.size(),
                                    lost.cause().getMessage());
                            var inDoubt = new ClaimResult.Indeterminate(
                                    "The database did not answer the commit; the claim may hold.");
                            attempt.waiters().forEach(waiter -> queue.answer(waiter, inDoubt));
                            attempt.then().run();
                        }
                        case Batch.End.RolledBack rolledBack -> afterRollback(attempt, rolledBack.cause());
                    }
                });
    }

    /** Handles a rollback: runs the claims again, together or one by one, makes them wait for locks, or fails them. */
    private void afterRollback(Attempt attempt, Throwable cause) {
        SqlFault fault = SqlFault.of(cause);
        if (fault == SqlFault.LOCKED) {
            setApart(attempt);
        } else if (cause instanceof LedgerStore.Vanished || TRANSIENT.contains(fault)) {
            if (attempt.repeats() < repeatsMax) {
                metrics.repeated(LedgerMetrics.Repeat.RACED);
                run(attempt.repeated());
            } else {
                LOG.warnf("batch abandoned claims=%d repeats=%d cause=%s", attempt.waiters().size(), attempt.repeats(),
                        cause.getMessage());
                var busy = new ClaimResult.Unavailable("Gave up after " + attempt.repeats()
                        + " retries: concurrent updates.");
                attempt.waiters().forEach(waiter -> queue.answer(waiter, busy));
                attempt.then().run();
            }
        } else if (fault == SqlFault.UNREACHABLE || fault == SqlFault.LOGIN_REFUSED) {
            if (attempt.reconnects() < RECONNECTS_MAX && !database.hangs()) {
                metrics.repeated(LedgerMetrics.Repeat.RECONNECTED);
                vertx.setTimer(RECONNECT_AFTER.toMillis(), _ -> run(attempt.reconnected()));
            } else {
                connections.missed(cause);
                failAll(attempt, cause);
            }
        } else if (OF_ALL.contains(fault)) {
            failAll(attempt, cause);
        } else if (attempt.waiters().size() > 1) {
            LOG.warnf("batch failed, its claims run one by one claims=%d cause=%s", attempt.waiters().size(),
                    cause.getMessage());
            oneByOne(attempt);
        } else {
            failAll(attempt, cause);
        }
    }

    private void failAll(Attempt attempt, Throwable cause) {
        attempt.waiters().forEach(waiter -> queue.fail(waiter, cause));
        attempt.then().run();
    }

    /**
     * Handles a lock that another transaction holds: claims that need the lock wait until it is released, and the other
     * claims run again.
     */
    private void setApart(Attempt attempt) {
        List<Waiter> waiters = attempt.waiters();
        ClaimedNames named = Waiter.names(waiters);
        LockQuery.find(pool, named.providersAndConsumers()).onComplete(found -> {
            Set<UUID> locked = found.succeeded() ? found.result() : named.providersAndConsumers();
            if (!locked.isEmpty()) {
                setApart(attempt, locked);
            } else if (waiters.size() > 1) {
                oneByOne(attempt);
            } else {
                // Either the lock has been released, or another transaction is inserting the consumer, whose row is not
                // visible yet. The claim waits for its consumers.
                setApart(attempt, named.consumers());
            }
        });
    }

    private void setApart(Attempt attempt, Set<UUID> locked) {
        List<Waiter> remaining = queue.setApart(attempt.slot(), attempt.waiters(), locked);
        LOG.debugf("claims wait for locks claims=%d locked=%s", attempt.waiters().size() - remaining.size(), locked);
        metrics.repeated(LedgerMetrics.Repeat.LOCKED);
        lockWatch.begin();
        run(attempt.of(remaining));
    }

    private void oneByOne(Attempt attempt) {
        metrics.repeated(LedgerMetrics.Repeat.ONE_BY_ONE);
        oneByOne(new ArrayDeque<>(attempt.waiters()), attempt.slot());
    }

    private void oneByOne(Deque<Waiter> remaining, WorkerSlot slot) {
        Waiter next = remaining.poll();
        if (next == null) {
            end(slot);
        } else {
            run(new Attempt(List.of(next), 0, 0, slot, () -> oneByOne(remaining, slot)));
        }
    }
}
