package io.berth.placement.ledger;

import io.berth.database.SqlFault;
import io.smallrye.mutiny.Uni;
import io.vertx.sqlclient.Pool;
import io.vertx.sqlclient.Row;
import io.vertx.sqlclient.RowSet;
import jakarta.annotation.Nullable;

/**
 * Whether claims find a connection: as the last batch found it, and between batches by looking. The fleet's connection
 * says nothing of it: at the limit of the database, or of its user, that one stays, and there is no other. Any thread
 * may call.
 */
final class LedgerConnections {
    private final Pool pool;
    private volatile @Nullable String obstacle;

    LedgerConnections(Pool pool) {
        this.pool = pool;
    }

    /** Why claims have no connection; null if they have. */
    @Nullable String obstacle() {
        return obstacle;
    }

    void found() {
        obstacle = null;
    }

    void missed(Throwable cause) {
        obstacle = "Claims have no connection: the database " + SqlFault.inWords(cause) + ".";
    }

    /** Never fails. */
    Uni<RowSet<Row>> look() {
        return Uni.createFrom().completionStage(() -> pool
                .withConnection(connection -> connection.query("SELECT 1").execute())
                .onSuccess(answered -> found())
                .onFailure(this::missed)
                .toCompletionStage())
                .onFailure().recoverWithNull();
    }
}
