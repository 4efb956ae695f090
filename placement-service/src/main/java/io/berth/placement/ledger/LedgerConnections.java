package io.berth.placement.ledger;

import io.berth.database.SqlFault;
import io.smallrye.mutiny.Uni;
import io.vertx.sqlclient.Pool;
import io.vertx.sqlclient.Row;
import io.vertx.sqlclient.RowSet;
import jakarta.annotation.Nullable;

/**
 * Tracks whether claims get a database connection, as seen by the last batch or by a check between batches. The fleet's
 * connection proves nothing here: when the database or its user reaches the limit of connections, that one stays open
 * while new ones are refused. Thread-safe.
 */
final class LedgerConnections {
    private final Pool pool;
    private volatile @Nullable String obstacle;

    LedgerConnections(Pool pool) {
        this.pool = pool;
    }

    /** Returns why claims have no connection; null if they have one. */
    @Nullable String obstacle() {
        return obstacle;
    }

    void found() {
        obstacle = null;
    }

    void missed(Throwable cause) {
        obstacle = "Claims have no connection: the database " + SqlFault.inWords(cause) + ".";
    }

    /** Checks the connection; never fails. */
    Uni<RowSet<Row>> look() {
        return Uni.createFrom().completionStage(() -> pool
                .withConnection(connection -> connection.query("SELECT 1").execute())
                .onSuccess(answered -> found())
                .onFailure(this::missed)
                .toCompletionStage())
                .onFailure().recoverWithNull();
    }
}
