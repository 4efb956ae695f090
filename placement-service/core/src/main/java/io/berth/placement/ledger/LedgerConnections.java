package io.berth.placement.ledger;

import io.berth.database.SqlFault;
import io.smallrye.mutiny.Uni;
import io.vertx.sqlclient.Pool;
import io.vertx.sqlclient.Row;
import io.vertx.sqlclient.RowSet;
import jakarta.annotation.Nullable;

/**
 * Records whether claims get a database connection. A batch that ran to its end shows that they do, and a batch that
 * was given up for lack of a connection that they do not; between batches, a query checks it. The connection with which
 * {@code fleet.FleetFeed} reads the fleet is no indication: if the database or its user has reached the limit of
 * connections, that open connection remains usable, whereas new connections are refused. Thread-safe.
 */
final class LedgerConnections {
    private final Pool pool;
    private volatile @Nullable String failureReason;

    LedgerConnections(Pool pool) {
        this.pool = pool;
    }

    /** Returns the reason for which claims get no connection; null if they get one. */
    @Nullable String failureReason() {
        return failureReason;
    }

    /** Records that a claim got a connection. */
    void recordSuccess() {
        failureReason = null;
    }

    /** Records that claims got no connection, or lost it before the commit. */
    void recordFailure(Throwable cause) {
        failureReason = "Claims have no connection: the database " + SqlFault.inWords(cause) + ".";
    }

    /** Runs a query that needs a connection, and records the result. Never fails. */
    Uni<RowSet<Row>> check() {
        return Uni.createFrom().completionStage(() -> pool
                .withConnection(connection -> connection.query("SELECT 1").execute())
                .onSuccess(answered -> recordSuccess())
                .onFailure(this::recordFailure)
                .toCompletionStage())
                .onFailure().recoverWithNull();
    }
}
