package io.berth.scheduler.nova.database;

import io.smallrye.mutiny.Uni;
import io.smallrye.mutiny.infrastructure.Infrastructure;
import io.vertx.mutiny.sqlclient.Row;
import io.vertx.mutiny.sqlclient.RowSet;
import java.util.Arrays;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;

/** Reads a table in the order of its ids, a page of rows at a time; large pages are not processed on an event loop. */
final class Pages {
    /** A page of up to this many rows is processed on the thread that received it. */
    private static final int QUICK_MAX = 32;

    private Pages() {}

    /**
     * @param sql selects {@code id}; ends in a condition, to which that of the page is appended
     * @param each called for one row after the other
     */
    static Uni<Void> read(Database database, String sql, int size, Consumer<Row> each, Object... parameters) {
        String page = sql + " AND id > ? ORDER BY id LIMIT " + size;
        AtomicLong last = new AtomicLong(0);
        return Uni.createFrom()
                .deferred(() -> database.run(page, with(parameters, last.get())))
                .chain(rows -> where(rows))
                .invoke(rows -> rows.forEach(row -> {
                    each.accept(row);
                    last.set(row.getLong("id"));
                }))
                .repeat().whilst(rows -> rows.size() == size)
                .collect().last()
                .replaceWithVoid();
    }

    private static Object[] with(Object[] parameters, long last) {
        Object[] all = Arrays.copyOf(parameters, parameters.length + 1);
        all[parameters.length] = last;
        return all;
    }

    private static Uni<RowSet<Row>> where(RowSet<Row> rows) {
        Executor here = Runnable::run;
        return Uni.createFrom().item(rows)
                .emitOn(rows.size() > QUICK_MAX ? Infrastructure.getDefaultExecutor() : here);
    }
}
