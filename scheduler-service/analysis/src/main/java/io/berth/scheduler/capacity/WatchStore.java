package io.berth.scheduler.capacity;

import com.fasterxml.jackson.databind.JsonNode;
import io.berth.scheduler.http.ApiFault;
import io.berth.scheduler.http.ErrorCode;
import io.berth.scheduler.http.JsonBody;
import io.smallrye.mutiny.Uni;
import io.vertx.core.json.JsonObject;
import io.vertx.mutiny.sqlclient.Pool;
import io.vertx.mutiny.sqlclient.Tuple;
import jakarta.annotation.Nullable;
import jakarta.inject.Singleton;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;

/**
 * Stores watches (requests whose capacity is counted periodically) and their last counts in PostgreSQL. Refuses a new
 * watch if there are {@value #WATCHES_MAX}.
 */
@Singleton
class WatchStore {
    /** The maximum number of watches. Each watch costs a count in every interval, and time series. */
    static final int WATCHES_MAX = 100;

    /** The maximum number of bytes of a body in a PUT; a longer body gets the response 413. */
    static final int BODY_MAX = 16 * 1_024;
    /**
     * The maximum number of characters of a stored body. A longer body is not read, and its watch is not counted.
     * Higher than {@link #BODY_MAX}, because PostgreSQL adds blanks when it renders jsonb.
     */
    static final int READ_MAX = 4 * BODY_MAX;
    /**
     * The maximum number of characters of all counts together, more than {@value Watches#GAUGES_MAX} zones need. In the
     * order of the watches' names, counts beyond this sum are not read.
     */
    private static final int COUNTS_MAX = 4_000_000;

    /**
     * No params. One row per watch, sorted by name: the body as JSON text, null if it is too long; the last count as
     * JSON text, null if this body has none, or if the counts up to this row exceed {@link #COUNTS_MAX} characters. A
     * watch without a count is counted again.
     */
    private static final String LIST = """
            SELECT name, body, CASE WHEN sum(length(counted)) OVER (ORDER BY name) <= %2$d THEN counted END AS counted
              FROM (SELECT watch.name, CASE WHEN length(watch.body::text) <= %1$d THEN watch.body::text END AS body,
                           last.counted::text AS counted
                      FROM capacity_watches watch
                      LEFT JOIN capacity_counts last ON last.name = watch.name AND last.body = watch.body) AS found
             ORDER BY name
            """.formatted(READ_MAX, COUNTS_MAX);

    /**
     * Params: 1 name, 2 body, 3 maximum number of watches. One row: whether the watch is new. Zero rows: there are that
     * many other watches.
     */
    private static final String PUT = """
            INSERT INTO capacity_watches AS watch (name, body)
            SELECT $1, $2
             WHERE (SELECT count(*) FROM capacity_watches WHERE name <> $1) < $3
            ON CONFLICT (name) DO UPDATE SET body = EXCLUDED.body
            RETURNING xmax = 0 AS created
            """;

    /** Params: 1 name. Zero rows: the watch does not exist. */
    private static final String DELETE = "DELETE FROM capacity_watches WHERE name = $1";

    /**
     * Params: 1 name, 2 count as JSON text, 3 body that was counted, as JSON text. Zero rows: the watch has another
     * body, or does not exist any more.
     */
    private static final String PUT_COUNT = """
            INSERT INTO capacity_counts (name, body, counted)
            SELECT name, body, $2::text::jsonb FROM capacity_watches WHERE name = $1 AND body = $3::text::jsonb
            ON CONFLICT (name) DO UPDATE SET body = EXCLUDED.body, counted = EXCLUDED.counted
            """;

    /**
     * Takes or renews the turn, the right of one replica to count. Params: 1 replica, 2 milliseconds after which a turn
     * ends unless it is renewed. One affected row: this replica has the turn. Zero: another replica has it.
     */
    private static final String TAKE_TURN = """
            INSERT INTO capacity_turns AS turn (replica, taken_at)
            VALUES ($1, clock_timestamp())
            ON CONFLICT (one) DO UPDATE SET replica = $1, taken_at = clock_timestamp()
             WHERE turn.replica = $1
                OR turn.taken_at < clock_timestamp() - $2::float8 * interval '1 millisecond'
                -- The clock was set back.
                OR turn.taken_at > clock_timestamp() + $2::float8 * interval '1 millisecond'
            """;

    /** Ends a turn. Params: 1 replica. Zero rows: another replica has the turn, or no replica has it. */
    private static final String PASS_TURN = "DELETE FROM capacity_turns WHERE replica = $1";

    private final Pool pool;

    /**
     * The body and last count of a watch, as JSON text, because parsed JSON would need up to forty times the memory.
     *
     * @param body null if it is longer than {@value #READ_MAX} characters
     * @param counted the last count; null if this body was not counted yet, or if the count is not read because of
     * {@link #COUNTS_MAX}
     */
    record Watch(@Nullable String body, @Nullable String counted) {}

    WatchStore(Pool pool) {
        this.pool = pool;
    }

    /** Returns the watches by name, sorted by name. */
    Uni<Map<String, Watch>> list() {
        return pool.query(LIST).execute().map(rows -> {
            Map<String, Watch> watches = new LinkedHashMap<>();
            rows.forEach(row -> watches.put(
                    row.getString("name"), new Watch(row.getString("body"), row.getString("counted"))));
            return watches;
        });
    }

    static JsonNode parseJson(String text) {
        return JsonBody.parse(text.getBytes(StandardCharsets.UTF_8));
    }

    /**
     * Stores counts. Ignores the count of a watch that was deleted, or has another body by now.
     *
     * @param bodies the counted bodies, by name
     * @param counted the counts as JSON text, by name
     */
    Uni<Void> storeCounts(Map<String, String> bodies, Map<String, String> counted) {
        if (counted.isEmpty()) {
            return Uni.createFrom().voidItem();
        }
        List<Tuple> rows = new ArrayList<>();
        counted.forEach((name, json) -> rows.add(Tuple.of(name, json, bodies.get(name))));
        return pool.preparedQuery(PUT_COUNT).executeBatch(rows).replaceWithVoid();
    }

    /**
     * Takes or renews the turn to count. Returns whether the replica has the turn. The turn ends when the replica
     * {@linkplain #passTurn passes} the turn, or has not renewed it for {@code validity}.
     */
    Uni<Boolean> takeTurn(UUID replica, Duration validity) {
        return pool.preparedQuery(TAKE_TURN)
                .execute(Tuple.of(replica, (double) validity.toMillis()))
                .map(rows -> rows.rowCount() > 0);
    }

    /** Ends the turn of the replica, if it has the turn. */
    Uni<Void> passTurn(UUID replica) {
        return pool.preparedQuery(PASS_TURN).execute(Tuple.of(replica)).replaceWithVoid();
    }

    /**
     * Stores a watch, or replaces its body. Returns whether the watch is new. Fails with ApiFault (409) if there are
     * {@value #WATCHES_MAX} other watches.
     */
    Uni<Boolean> put(String name, JsonNode body) {
        return pool.preparedQuery(PUT)
                .execute(Tuple.of(name, new JsonObject(body.toString()), WATCHES_MAX))
                .map(rows -> {
                    if (rows.size() == 0) {
                        throw new ApiFault(
                                ErrorCode.CONFLICT,
                                "there are " + WATCHES_MAX + " watches already, the maximum: delete one first");
                    }
                    return rows.iterator().next().getBoolean("created");
                });
    }

    /** Deletes a watch and its count. Returns whether the watch existed. */
    Uni<Boolean> delete(String name) {
        return pool.preparedQuery(DELETE).execute(Tuple.of(name)).map(rows -> rows.rowCount() > 0);
    }
}
