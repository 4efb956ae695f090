package io.berth.database.change;

import io.berth.model.OperatorChange;
import io.smallrye.mutiny.Uni;
import io.vertx.mutiny.sqlclient.Row;
import io.vertx.mutiny.sqlclient.RowSet;
import io.vertx.mutiny.sqlclient.Tuple;
import java.time.Duration;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;

/** The table of changes, {@code operator_changes} of each service's schema. */
public final class ChangeStore {
    /** Runs a statement on the service's own pool. */
    @FunctionalInterface
    public interface Statements {
        Uni<RowSet<Row>> run(String sql, Tuple parameters);
    }

    /**
     * Params, as arrays with one element for each change: 1 times, 2 changed objects, 3 users, 4 projects, 5 request
     * ids, 6 old values, 7 new values.
     */
    private static final String WRITE = """
            INSERT INTO operator_changes (made_at, what, user_id, project_id, request_id, old_value, new_value)
            SELECT * FROM unnest($1::timestamptz[], $2::text[], $3::text[], $4::text[], $5::text[], $6::text[], $7::text[])
            """;

    /**
     * Params: 1 limit of changes to keep, 2 seconds to keep a change. Another replica may run the same at the same
     * time.
     */
    private static final String FORGET = """
            DELETE FROM operator_changes WHERE id IN (
                SELECT id FROM operator_changes
                 WHERE id <= greatest(
                           (SELECT max(id) FROM operator_changes) - $1,
                           (SELECT id FROM operator_changes WHERE made_at < now() - make_interval(secs => $2)
                             ORDER BY made_at DESC LIMIT 1))
                 ORDER BY id LIMIT 1000 FOR UPDATE SKIP LOCKED)
            """;

    /**
     * Params: 1 user, 2 text in the changed object, 3 since, 4 until, 5 id below which changes are listed (each null:
     * any), 6 seconds to keep a change, 7 limit of rows.
     */
    private static final String LIST = """
            SELECT id, made_at, what, user_id, project_id, request_id, old_value, new_value FROM operator_changes
             WHERE ($1::text IS NULL OR user_id = $1) AND ($2::text IS NULL OR position($2 IN what) > 0)
               AND ($3::timestamptz IS NULL OR made_at >= $3) AND ($4::timestamptz IS NULL OR made_at < $4)
               AND ($5::bigint IS NULL OR id < $5) AND made_at >= now() - make_interval(secs => $6)
             ORDER BY id DESC LIMIT $7
            """;

    /** A change and its id in the table. */
    record Kept(long id, OperatorChange change) {}

    private final Statements statements;

    public ChangeStore(Statements statements) {
        this.statements = statements;
    }

    Uni<Void> write(List<OperatorChange> changes) {
        Tuple params = Tuple.tuple()
                .addArrayOfOffsetDateTime(changes.stream()
                        .map(change -> change.at().atOffset(ZoneOffset.UTC)).toArray(OffsetDateTime[]::new))
                .addArrayOfString(texts(changes, OperatorChange::what))
                .addArrayOfString(texts(changes, OperatorChange::user))
                .addArrayOfString(texts(changes, OperatorChange::project))
                .addArrayOfString(texts(changes, OperatorChange::requestId))
                .addArrayOfString(texts(changes, OperatorChange::old))
                .addArrayOfString(texts(changes, OperatorChange::now));
        return statements.run(WRITE, params).replaceWithVoid();
    }

    /** Returns a column of texts without NUL, which PostgreSQL cannot store. */
    private static String[] texts(List<OperatorChange> changes, Function<OperatorChange, String> column) {
        return changes.stream().map(column).map(text -> text.replace("\0", "")).toArray(String[]::new);
    }

    /** Deletes changes beyond these limits, at most a thousand. */
    Uni<Void> forget(long max, Duration keep) {
        return statements.run(FORGET, Tuple.of(max, (double) keep.toSeconds())).replaceWithVoid();
    }

    /** Lists changes, the latest first; one more than the search's limit if there are more. */
    Uni<List<Kept>> list(ChangeSearch search, Duration keep) {
        Tuple params = Tuple.tuple()
                .addString(search.user())
                .addString(search.about())
                .addOffsetDateTime(search.since())
                .addOffsetDateTime(search.until())
                .addLong(search.marker())
                .addDouble((double) keep.toSeconds())
                .addInteger(search.limit() + 1);
        return statements.run(LIST, params).map(rows -> {
            List<Kept> found = new ArrayList<>(rows.size());
            for (Row row : rows) {
                found.add(new Kept(row.getLong("id"), new OperatorChange(
                        row.getOffsetDateTime("made_at").toInstant(), row.getString("what"), row.getString("user_id"),
                        row.getString("project_id"), row.getString("request_id"), row.getString("old_value"),
                        row.getString("new_value"))));
            }
            return found;
        });
    }
}
