package io.berth.placement.ledger;

import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.pgclient.PgException;
import io.vertx.sqlclient.Pool;
import io.vertx.sqlclient.SqlConnection;
import java.util.List;

/** Some claims decided and committed in one transaction. */
final class Batch {
    private final List<Claim> claims;
    /** True once COMMIT is on its way: from then on a lost connection says nothing about what holds. */
    private boolean commitSent;

    private Batch(List<Claim> claims) {
        this.claims = claims;
    }

    /** How the transaction ended. */
    sealed interface End {
        /** @param results one per claim, in their order */
        record Done(List<ClaimResult> results) implements End {}

        /** Nothing holds. */
        record RolledBack(Throwable cause) implements End {}

        /** Nobody knows. */
        record InDoubt(Throwable cause) implements End {}
    }

    /** Never fails. */
    static Future<End> run(Pool pool, List<Claim> claims) {
        var batch = new Batch(claims);
        return pool.getConnection()
                .compose(connection -> batch.on(connection).onComplete(ended -> connection.close()))
                .recover(failure -> Future.succeededFuture(
                        batch.commitSent ? new End.InDoubt(failure) : new End.RolledBack(failure)));
    }

    private Future<End> on(SqlConnection connection) {
        var store = new LedgerStore(connection);
        return store.lock(claims)
                .compose(locked -> finish(store, locked))
                .recover(failure -> commitSent
                        ? Future.succeededFuture(new End.InDoubt(failure))
                        // A failed rollback is a lost connection, which rolls back as well.
                        : store.rollback().transform(ignored -> Future.succeededFuture(new End.RolledBack(failure))));
    }

    private Future<End> finish(LedgerStore store, LedgerStore.Locked locked) {
        ClaimRules.Decision decision = ClaimRules.decide(locked.rows(), claims);
        if (decision.effect().isNothing()) {
            // Nothing to lose: whether the rollback is answered or not, it is one.
            return store.rollback().transform(ignored -> Future.succeededFuture(new End.Done(decision.results())));
        }
        LedgerStore.Writing writing = store.write(decision.effect(), locked.inserted());
        commitSent = true;
        Promise<End> end = Promise.promise();
        // Answers come in the order sent, so the writes' are here when COMMIT's is.
        writing.commit().onComplete(committed -> end.complete(end(writing, committed.cause(), decision.results())));
        return end.future();
    }

    private static End end(LedgerStore.Writing writing, Throwable commitFailure, List<ClaimResult> results) {
        for (Future<?> write : writing.writes()) {
            if (write.failed() && write.cause() instanceof PgException refused) {
                // The server refused a statement before COMMIT, so COMMIT was a rollback.
                return new End.RolledBack(refused);
            }
        }
        for (Future<?> write : writing.writes()) {
            if (!write.succeeded()) {
                return new End.InDoubt(write.failed() ? write.cause() : new IllegalStateException("a write has no answer"));
            }
        }
        return commitFailure == null ? new End.Done(results) : new End.InDoubt(commitFailure);
    }
}
