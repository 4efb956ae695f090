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

/** Reads and writes the table {@code operator_changes}, which each service has in its schema. */
public final class ChangeStore {
    /** Runs a statement on the service's own pool. */
    @FunctionalInterface
    public interface Statements {
        Uni<RowSet<Row>> run(String sql, Tuple parameters);
    }

    /**
     * Inserts changes. Params are arrays with one element for each change: 1 times, 2 changed objects, 3 user ids, 4
     * project ids, 5 request ids, 6 old values, 7 new values.
     */
    private static final String WRITE = """
            INSERT INTO operator_changes (made_at, what, user_id, project_id, request_id, old_value, new_value)
            SELECT * FROM unnest($1::timestamptz[], $2::text[], $3::text[], $4::text[], $5::text[], $6::text[],
                $7::text[])
            """;

    /**
     * Deletes up to 1,000 of the oldest changes that exceed the limits. Params: 1 maximum number of changes to keep,
     * counted in ids, which may have gaps; 2 seconds to keep a change. SKIP LOCKED lets several replicas run this
     * concurrently.
     */
    private static final String DELETE_OLD = """
            DELETE FROM operator_changes WHERE id IN (
                SELECT id FROM operator_changes
                 WHERE id <= greatest(
                           (SELECT max(id) FROM operator_changes) - $1,
                           (SELECT id FROM operator_changes WHERE made_at < now() - make_interval(secs => $2)
                             ORDER BY made_at DESC LIMIT 1))
                 ORDER BY id LIMIT 1000 FOR UPDATE SKIP LOCKED)
            """;

    /**
     * Lists changes, the latest first. Params: 1 user id, 2 text that the changed object contains, 3 since, 4 until, 5
     * id below which changes are listed (1 to 5 may be null, for any), 6 age in seconds beyond which changes are
     * omitted, 7 maximum number of rows. Columns: id, time, changed object, user id, project id, request id, old value,
     * new value.
     */
    private static final String LIST = """
            SELECT id, made_at, what, user_id, project_id, request_id, old_value, new_value FROM operator_changes
             WHERE ($1::text IS NULL OR user_id = $1) AND ($2::text IS NULL OR position($2 IN what) > 0)
               AND ($3::timestamptz IS NULL OR made_at >= $3) AND ($4::timestamptz IS NULL OR made_at < $4)
               AND ($5::bigint IS NULL OR id < $5) AND made_at >= now() - make_interval(secs => $6)
             ORDER BY id DESC LIMIT $7
            """;

    /** A stored change with its id. */
    record StoredChange(long id, OperatorChange change) {}

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
                .addArrayOfString(texts(changes, OperatorChange::oldValue))
                .addArrayOfString(texts(changes, OperatorChange::newValue));
        return statements.run(WRITE, params).replaceWithVoid();
    }

    /** Returns a column of texts without NUL, which PostgreSQL cannot store. */
    private static String[] texts(List<OperatorChange> changes, Function<OperatorChange, String> column) {
        return changes.stream().map(column).map(text -> text.replace("\0", "")).toArray(String[]::new);
    }

    /**
     * Deletes at most 1,000 of the oldest changes that exceed the limits.
     *
     * @param countMax maximum number of changes to keep
     * @param ageMax maximum age of a change to keep
     */
    Uni<Void> deleteOld(long countMax, Duration ageMax) {
        return statements.run(DELETE_OLD, Tuple.of(countMax, (double) ageMax.toSeconds())).replaceWithVoid();
    }

    /**
     * Lists changes, the latest first. Returns one change more than the limit of the search if another page follows.
     *
     * @param ageMax age beyond which changes are omitted, although they may not have been deleted yet
     */
    Uni<List<StoredChange>> list(ChangeSearch search, Duration ageMax) {
        Tuple params = Tuple.tuple()
                .addString(search.user())
                .addString(search.about())
                .addOffsetDateTime(search.since())
                .addOffsetDateTime(search.until())
                .addLong(search.marker())
                .addDouble((double) ageMax.toSeconds())
                .addInteger(search.limit() + 1);
        return statements.run(LIST, params).map(rows -> {
            List<StoredChange> changes = new ArrayList<>(rows.size());
            for (Row row : rows) {
                changes.add(new StoredChange(row.getLong("id"), new OperatorChange(
                        row.getOffsetDateTime("made_at").toInstant(), row.getString("what"), row.getString("user_id"),
                        row.getString("project_id"), row.getString("request_id"), row.getString("old_value"),
                        row.getString("new_value"))));
            }
            return changes;
        });
    }
}
