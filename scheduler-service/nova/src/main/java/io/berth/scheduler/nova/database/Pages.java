package io.berth.scheduler.nova.database;

import io.smallrye.mutiny.Uni;
import io.smallrye.mutiny.infrastructure.Infrastructure;
import io.vertx.mutiny.sqlclient.Row;
import io.vertx.mutiny.sqlclient.RowSet;
import java.util.Arrays;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;

/**
 * Reads a table in the order of its ids, a page of rows at a time. Processes large pages on a worker thread, to keep
 * event loops free.
 */
final class Pages {
    /** The maximum number of rows of a page that is processed on the thread that received it. */
    private static final int SMALL_PAGE_ROWS = 32;

    private Pages() {}

    /**
     * Reads all rows.
     *
     * @param sql a SELECT of {@code id} and other columns that ends in a condition of WHERE, because {@code AND id > ?}
     * is appended
     * @param size maximum number of rows in a page
     * @param each called for each row, one after the other
     * @param parameters values for the placeholders of {@code sql}
     */
    static Uni<Void> read(Database database, String sql, int size, Consumer<Row> each, Object... parameters) {
        String page = sql + " AND id > ? ORDER BY id LIMIT " + size;
        AtomicLong lastId = new AtomicLong(0);
        return Uni.createFrom()
                .deferred(() -> database.run(page, with(parameters, lastId.get())))
                .chain(rows -> onFittingThread(rows))
                .invoke(rows -> rows.forEach(row -> {
                    each.accept(row);
                    lastId.set(row.getLong("id"));
                }))
                .repeat().whilst(rows -> rows.size() == size)
                .collect().last()
                .replaceWithVoid();
    }

    private static Object[] with(Object[] parameters, long lastId) {
        Object[] all = Arrays.copyOf(parameters, parameters.length + 1);
        all[parameters.length] = lastId;
        return all;
    }

    /** Emits the rows of a large page on a worker thread. */
    private static Uni<RowSet<Row>> onFittingThread(RowSet<Row> rows) {
        Executor sameThread = Runnable::run;
        return Uni.createFrom().item(rows)
                .emitOn(rows.size() > SMALL_PAGE_ROWS ? Infrastructure.getDefaultExecutor() : sameThread);
    }
}
