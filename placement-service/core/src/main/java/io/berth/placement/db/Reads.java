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
 * Runs the queries that the fleet in memory cannot serve. They have a pool of their own, because transactions that wait
 * for locks may occupy all connections of the other pools. If the database hangs before or during a query, the result
 * fails with {@link HangingDatabase#refusal}.
 */
@Singleton
public final class Reads {
    private final Pool pool;
    private final HangingDatabase database;

    Reads(@ReactiveDataSource("reads") Pool pool, HangingDatabase database) {
        this.pool = pool;
        this.database = database;
    }

    /** Runs one statement. A statement that writes may still take effect after its result has failed. */
    public Uni<RowSet<Row>> run(String sql, Tuple parameters) {
        return database.run(() -> pool.preparedQuery(sql).execute(parameters));
    }

    /** Runs {@code work}, whose queries all see the same snapshot of the database, taken at the first query. */
    public <T> Uni<T> snapshot(Function<SqlConnection, Uni<T>> work) {
        return database.run(() -> OneSnapshot.read(pool, work));
    }

    /**
     * Runs {@code work} in a transaction. {@code work} must change nothing, because it may continue, and be committed,
     * after its result has failed.
     */
    public <T> Uni<T> transaction(Function<SqlConnection, Uni<T>> work) {
        return database.run(() -> pool.withTransaction(work));
    }
}
