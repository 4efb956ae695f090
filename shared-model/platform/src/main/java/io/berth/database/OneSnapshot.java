package io.berth.database;

import io.smallrye.mutiny.Uni;
import io.vertx.mutiny.sqlclient.Pool;
import io.vertx.mutiny.sqlclient.SqlConnection;
import java.util.function.Function;

/** Runs several statements that all see the database as it is when the first of them runs. */
public final class OneSnapshot {
    private static final String BEGIN = "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY";

    private OneSnapshot() {}

    /**
     * Runs the work in a read-only transaction. Also fails if the final ROLLBACK fails: then the connection broke, and
     * the data that was read proves nothing.
     *
     * @param work must only read
     */
    public static <T> Uni<T> reading(Pool pool, Function<SqlConnection, Uni<T>> work) {
        return pool.withConnection(connection -> connection.query(BEGIN).execute()
                .chain(() -> work.apply(connection))
                .onFailure().call(() -> connection.query("ROLLBACK").execute().onFailure().recoverWithNull())
                .call(() -> connection.query("ROLLBACK").execute()));
    }
}
