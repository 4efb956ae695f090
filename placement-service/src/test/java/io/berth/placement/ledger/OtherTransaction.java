package io.berth.placement.ledger;

import io.smallrye.mutiny.Uni;
import io.vertx.mutiny.sqlclient.Pool;
import io.vertx.mutiny.sqlclient.SqlConnection;
import io.vertx.mutiny.sqlclient.Tuple;
import java.time.Duration;
import java.util.List;
import java.util.UUID;

/**
 * A transaction of another writer, which does not use the ledger. It keeps its locks until it ends, however long that
 * takes.
 */
final class OtherTransaction implements AutoCloseable {
    private static final Duration ANSWER_MAX = Duration.ofMinutes(5);

    private final SqlConnection connection;
    private boolean isOver;

    OtherTransaction(Pool pool) {
        connection = pool.getConnection().await().atMost(ANSWER_MAX);
        run("BEGIN; SET LOCAL idle_in_transaction_session_timeout = 0; SET LOCAL lock_timeout = 0;"
                + " SET LOCAL statement_timeout = 0");
    }

    /** Locks the provider's row. */
    OtherTransaction lock(UUID provider) {
        locking(provider).await().atMost(ANSWER_MAX);
        return this;
    }

    /** Completes when the provider's row is locked. */
    Uni<?> locking(UUID provider) {
        return connection.preparedQuery("SELECT 1 FROM resource_providers WHERE uuid = $1 FOR UPDATE")
                .execute(Tuple.of(provider));
    }

    void run(String sql, UUID... uuids) {
        Uni<?> done = uuids.length == 0
                ? connection.query(sql).execute()
                : connection.preparedQuery(sql).execute(Tuple.from(List.<Object>of((Object[]) uuids)));
        done.await().atMost(ANSWER_MAX);
    }

    void commit() {
        end("COMMIT");
    }

    /** Rolls back the transaction if it is still open. */
    @Override
    public void close() {
        end("ROLLBACK");
    }

    private void end(String sql) {
        if (!isOver) {
            isOver = true;
            run(sql);
            connection.close().await().atMost(ANSWER_MAX);
        }
    }
}
