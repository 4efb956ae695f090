package io.berth.placement.ledger;

import io.vertx.core.Future;
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
        return store.write(decision.effect(), locked.inserted()).compose(written -> {
            commitSent = true;
            return store.commit().transform(committed -> Future.succeededFuture(
                    committed.succeeded() ? new End.Done(decision.results()) : afterFailedCommit(committed.cause())));
        });
    }

    /** A server that goes on after the error has rolled back; one that does not may have committed. */
    private static End afterFailedCommit(Throwable cause) {
        boolean goesOn = cause instanceof PgException refused && "ERROR".equals(refused.getSeverity());
        return goesOn ? new End.RolledBack(cause) : new End.InDoubt(cause);
    }
}
