package io.berth.placement.db;

import io.berth.database.OneSnapshot;
import io.quarkus.reactive.datasource.ReactiveDataSource;
import io.smallrye.mutiny.Uni;
import io.vertx.mutiny.sqlclient.Pool;
import io.vertx.mutiny.sqlclient.Row;
import io.vertx.mutiny.sqlclient.RowSet;
import io.vertx.mutiny.sqlclient.SqlConnection;
import io.vertx.mutiny.sqlclient.Tuple;
import jakarta.inject.Singleton;
import java.util.function.Function;

/**
 * Runs all reads that the fleet in memory cannot serve. It uses connections of its own, so that reads do not wait
 * behind writes that wait for locks. It fails at once while the database {@linkplain HangingDatabase hangs}.
 */
@Singleton
public final class Reads {
    private final Pool pool;
    private final HangingDatabase database;

    Reads(@ReactiveDataSource("reads") Pool pool, HangingDatabase database) {
        this.pool = pool;
        this.database = database;
    }

    public Uni<RowSet<Row>> run(String sql, Tuple parameters) {
        return database.ask(() -> pool.preparedQuery(sql).execute(parameters));
    }

    /** Runs statements that all see the database as it is when the first of them runs. */
    public <T> Uni<T> snapshot(Function<SqlConnection, Uni<T>> work) {
        return database.ask(() -> OneSnapshot.reading(pool, work));
    }

    /** Runs a read-only transaction. */
    public <T> Uni<T> transaction(Function<SqlConnection, Uni<T>> work) {
        return database.ask(() -> pool.withTransaction(work));
    }
}
