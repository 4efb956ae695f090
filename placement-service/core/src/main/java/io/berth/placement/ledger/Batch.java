package io.berth.placement.ledger;

import io.berth.placement.ledger.claim.Claim;
import io.berth.placement.ledger.claim.ClaimResult;
import io.berth.placement.ledger.claim.ClaimRules;
import io.berth.placement.ledger.claim.LockedRows;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.pgclient.PgException;
import io.vertx.sqlclient.Pool;
import io.vertx.sqlclient.SqlConnection;
import java.util.List;
import java.util.UUID;

/**
 * Decides and commits several {@link Claim}s (requests to change allocations) in one transaction. The transaction takes
 * two round trips to the database: one that locks and reads, and one that writes and commits (or rolls back, if there
 * is nothing to write). If all claims are releases without a fencing token, there is nothing to decide, and the
 * transaction takes a single round trip.
 */
final class Batch {
    private final List<Claim> claims;
    /** See {@link #run}. */
    private final boolean isRepeated;
    private final IdCache idCache;
    private final Runnable onCommitting;
    private final LedgerMetrics metrics;
    /** True once COMMIT has been sent. If the connection is lost after that, the outcome is unknown. */
    private boolean commitSent;

    private Batch(
            List<Claim> claims, boolean isRepeated, IdCache idCache, Runnable onCommitting, LedgerMetrics metrics) {
        this.claims = claims;
        this.isRepeated = isRepeated;
        this.idCache = idCache;
        this.onCommitting = onCommitting;
        this.metrics = metrics;
    }

    /** The outcome of the transaction. */
    sealed interface End {
        /**
         * Each claim has its result. The transaction is committed, or rolled back because there was nothing to write.
         *
         * @param results the result of each claim, in the order of the claims
         */
        record Done(List<ClaimResult> results) implements End {}

        /** The transaction was rolled back or never began; nothing was written. */
        record RolledBack(Throwable cause) implements End {}

        /** The outcome is unknown: the transaction may have been committed. */
        record Indeterminate(Throwable cause) implements End {}
    }

    /**
     * Runs the claims in one transaction. The future never fails.
     *
     * @param isRepeated whether these claims run again after a deadlock, a serialization failure, a foreign key
     *         violation or a {@link LedgerStore.IncompleteRead}; more rows are then read, see {@link LedgerStore#lock}
     * @param onCommitting called at most once, when the transaction holds all its locks and COMMIT has been sent, so
     *         that the next batch may begin while PostgreSQL commits
     */
    static Future<End> run(
            Pool pool, List<Claim> claims, boolean isRepeated, IdCache idCache, Runnable onCommitting,
            LedgerMetrics metrics) {
        var batch = new Batch(claims, isRepeated, idCache, onCommitting, metrics);
        return pool.getConnection()
                // The statements fail if the connection is lost. Without a handler, Vert.x would also log a stack
                // trace.
                .compose(connection -> batch.runOn(connection.exceptionHandler(lost -> {}))
                        .onComplete(ended -> connection.close()))
                .recover(failure -> Future.succeededFuture(
                        batch.commitSent ? new End.Indeterminate(failure) : new End.RolledBack(failure)));
    }

    private Future<End> runOn(SqlConnection connection) {
        return claims.stream().allMatch(Claim::isPlainRelease) ? release(connection) : decide(connection);
    }

    /** Runs the releases in a single round trip. */
    private Future<End> release(SqlConnection connection) {
        long sentNanos = System.nanoTime();
        commitSent = true;
        List<UUID> consumers = claims.stream().map(claim -> ((Claim.Release) claim).consumer()).toList();
        ReleaseStore.Released released = new ReleaseStore(connection).release(consumers);
        Future<List<ClaimResult>> results = released.consumers().map(holders -> consumers.stream()
                // A consumer may be released by two claims; only the first of them finds allocations.
                .<ClaimResult>map(consumer -> holders.remove(consumer)
                        ? new ClaimResult.Claimed() : new ClaimResult.NothingAllocated(consumer))
                .toList());
        results.onSuccess(done -> {
            metrics.written(System.nanoTime() - sentNanos);
            onCommitting.run();
        });
        released.committed().onSuccess(done -> metrics.committed(System.nanoTime() - sentNanos));
        return Future.join(results, released.committed())
                .transform(ended -> Future.succeededFuture(endOf(results, released.committed(), results.result())));
    }

    /** Runs the claims in two round trips. */
    private Future<End> decide(SqlConnection connection) {
        var store = new LedgerStore(connection, idCache);
        long sentNanos = System.nanoTime();
        return store.lock(claims, isRepeated)
                .onSuccess(locked -> metrics.locked(System.nanoTime() - sentNanos))
                .compose(locked -> {
                    long lockedNanos = System.nanoTime();
                    return decide(locked.rows()).compose(decision -> {
                        metrics.decided(System.nanoTime() - lockedNanos);
                        return writeAndCommit(connection, store, locked, decision);
                    });
                })
                .recover(failure -> commitSent
                        ? Future.succeededFuture(new End.Indeterminate(failure))
                        // If the rollback fails, the connection is lost, and PostgreSQL rolls back.
                        : store.rollback().transform(ignored -> Future.succeededFuture(new End.RolledBack(failure))));
    }

    /**
     * Decides the claims; on a worker thread if the batch is a single claim that exceeds the size of a batch, because
     * the decision would block the event loop for long.
     */
    private Future<ClaimRules.Decision> decide(LockedRows rows) {
        Context context = Vertx.currentContext();
        boolean isLarge = claims.size() == 1 && claims.getFirst().weight() > ClaimQueue.BATCH_ROWS_MAX;
        return isLarge && context != null
                ? context.executeBlocking(() -> ClaimRules.decide(rows, claims), false)
                : Future.succeededFuture(ClaimRules.decide(rows, claims));
    }

    private Future<End> writeAndCommit(
            SqlConnection connection, LedgerStore lockStore, LedgerStore.LockResult locked,
            ClaimRules.Decision decision) {
        long decidedNanos = System.nanoTime();
        if (decision.effect().isNothing()) {
            // There is nothing to write, so the results do not depend on the response to the rollback.
            return lockStore.rollback()
                    .transform(ignored -> Future.succeededFuture(new End.Done(decision.results())));
        }
        var effectStore = new NetEffectStore(connection);
        Future<?> written = effectStore.write(decision.effect(), locked.inserted());
        if (written.failed()) {
            // The statements could not be sent.
            return Future.failedFuture(written.cause());
        }
        commitSent = true;
        Future<?> committed = effectStore.commit();
        written.onSuccess(done -> metrics.written(System.nanoTime() - decidedNanos));
        committed.onSuccess(done -> metrics.committed(System.nanoTime() - decidedNanos));
        onCommitting.run();
        return Future.join(written, committed)
                .transform(ended -> Future.succeededFuture(endOf(written, committed, decision.results())));
    }

    private static End endOf(Future<?> written, Future<?> committed, List<ClaimResult> results) {
        if (written.failed()) {
            // If PostgreSQL refused a statement, COMMIT rolled the transaction back. Without a response to the
            // statement, the outcome is unknown.
            return written.cause() instanceof PgException refused
                    ? new End.RolledBack(refused) : new End.Indeterminate(written.cause());
        }
        return committed.succeeded() ? new End.Done(results) : afterFailedCommit(committed.cause());
    }

    /**
     * Returns {@link End.RolledBack} if PostgreSQL reported an error that keeps the connection open; otherwise the
     * transaction may have been committed.
     */
    private static End afterFailedCommit(Throwable cause) {
        boolean isConnectionOpen = cause instanceof PgException refused && "ERROR".equals(refused.getSeverity());
        return isConnectionOpen ? new End.RolledBack(cause) : new End.Indeterminate(cause);
    }
}
