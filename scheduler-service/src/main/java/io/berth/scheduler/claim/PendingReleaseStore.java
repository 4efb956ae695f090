package io.berth.scheduler.claim;

import io.smallrye.mutiny.Uni;
import io.vertx.mutiny.sqlclient.Pool;
import io.vertx.mutiny.sqlclient.Row;
import io.vertx.mutiny.sqlclient.RowSet;
import io.vertx.mutiny.sqlclient.SqlConnection;
import io.vertx.mutiny.sqlclient.Tuple;
import jakarta.inject.Singleton;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.function.Function;

/** Claims that are to be taken back later, shared by all replicas. */
@Singleton
public class PendingReleaseStore {
    /** Params: 1 consumer, 2 claim as JSON text, 3 request id. A newer claim replaces an older one. */
    static final String RECORD = """
            INSERT INTO pending_releases (consumer, claim, request_id)
            VALUES ($1, cast(cast($2 AS text) AS jsonb), $3)
            ON CONFLICT (consumer) DO UPDATE
               SET claim = excluded.claim, request_id = excluded.request_id, recorded_at = now(), next_at = now()
            """;

    /** Params: 1 consumers. Waits for a replica that works on one of them. Zero rows: nothing is left of them. */
    static final String TAKE = """
            DELETE FROM pending_releases WHERE consumer = ANY($1)
            RETURNING consumer, claim #>> '{}' AS claim, request_id, attempts, 0::float8 AS age_seconds
            """;

    /** No params. At most one row, locked until the transaction ends; those that others work on are passed over. */
    static final String NEXT_DUE = """
            SELECT consumer, claim #>> '{}' AS claim, request_id, attempts,
                   extract(epoch FROM now() - recorded_at)::float8 AS age_seconds
              FROM pending_releases
             WHERE next_at <= now()
             ORDER BY next_at
             LIMIT 1
               FOR UPDATE SKIP LOCKED
            """;

    /** Params: 1 consumer. */
    static final String DONE = "DELETE FROM pending_releases WHERE consumer = $1";

    /** Params: 1 consumer, 2 seconds until it is due again. */
    static final String POSTPONE = """
            UPDATE pending_releases
               SET attempts = attempts + 1, next_at = now() + make_interval(secs => $2)
             WHERE consumer = $1
            """;

    /** No params. One row. */
    static final String COUNT = """
            SELECT count(*)::float8 AS count,
                   coalesce(extract(epoch FROM now() - min(recorded_at)), 0)::float8 AS oldest_seconds
              FROM pending_releases
            """;

    private final Pool pool;

    PendingReleaseStore(Pool pool) {
        this.pool = pool;
    }

    Uni<Void> record(UUID consumer, Map<String, Map<String, Long>> claim, String requestId) {
        return pool.preparedQuery(RECORD)
                .execute(Tuple.of(consumer, AllocationsText.render(claim), requestId))
                .replaceWithVoid();
    }

    Uni<List<PendingRelease>> take(List<UUID> consumers) {
        return pool.preparedQuery(TAKE).execute(Tuple.of(consumers.toArray(UUID[]::new))).map(rows -> {
            List<PendingRelease> taken = new ArrayList<>();
            rows.forEach(row -> taken.add(read(row)));
            return taken;
        });
    }

    /** What is left to take back. NaN for what is not known. */
    record Left(double count, double oldestSeconds) {
        static final Left UNKNOWN = new Left(Double.NaN, Double.NaN);
    }

    Uni<Left> count() {
        return pool.query(COUNT).execute().map(RowSet::iterator).map(rows -> {
            Row row = rows.next();
            return new Left(row.getDouble("count"), row.getDouble("oldest_seconds"));
        });
    }

    /** When to look at a release again; null for never. */
    record Verdict(Double againAfterSeconds) {
        static final Verdict FINISHED = new Verdict(null);
    }

    /**
     * Works on one that is due while it is locked against all others.
     *
     * @return false when none is due
     */
    Uni<Boolean> workOnOne(Function<PendingRelease, Uni<Verdict>> work) {
        return pool.withTransaction(connection -> connection
                .query(NEXT_DUE)
                .execute()
                .chain(rows -> rows.size() == 0
                        ? Uni.createFrom().item(false)
                        : workOn(connection, read(rows.iterator().next()), work)));
    }

    private static Uni<Boolean> workOn(
            SqlConnection connection, PendingRelease release, Function<PendingRelease, Uni<Verdict>> work) {
        return work.apply(release)
                .chain(verdict -> verdict.againAfterSeconds() == null
                        ? connection.preparedQuery(DONE).execute(Tuple.of(release.consumer()))
                        : connection
                                .preparedQuery(POSTPONE)
                                .execute(Tuple.of(release.consumer(), verdict.againAfterSeconds())))
                .map(RowSet::rowCount)
                .replaceWith(true);
    }

    private static PendingRelease read(Row row) {
        return new PendingRelease(
                row.getUUID("consumer"),
                AllocationsText.parse(row.getString("claim")),
                row.getString("request_id"),
                row.getInteger("attempts"),
                row.getDouble("age_seconds"));
    }
}
