package io.berth.database;

import io.smallrye.mutiny.Uni;
import io.vertx.mutiny.sqlclient.Pool;
import io.vertx.mutiny.sqlclient.SqlConnection;
import java.util.function.Function;

/** Runs several statements that all see the same PostgreSQL snapshot, which is taken at the first statement. */
public final class OneSnapshot {
    private static final String BEGIN = "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY";

    private OneSnapshot() {}

    /**
     * Runs the work in a read-only transaction, and ends it with ROLLBACK. Also fails if the ROLLBACK fails, because
     * the connection then broke, and the data may come from a server that was no longer the primary.
     *
     * @param work must only read
     */
    public static <T> Uni<T> read(Pool pool, Function<SqlConnection, Uni<T>> work) {
        return pool.withConnection(connection -> connection.query(BEGIN).execute()
                .chain(() -> work.apply(connection))
                // The failure of the work is reported, even if the ROLLBACK fails, too.
                .onFailure().call(() -> connection.query("ROLLBACK").execute().onFailure().recoverWithNull())
                .call(() -> connection.query("ROLLBACK").execute()));
    }
}
