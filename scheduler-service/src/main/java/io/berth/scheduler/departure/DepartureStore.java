package io.berth.scheduler.departure;

import io.berth.scheduler.host.Place;
import io.quarkus.reactive.datasource.ReactiveDataSource;
import io.smallrye.mutiny.Uni;
import io.vertx.mutiny.sqlclient.Pool;
import io.vertx.mutiny.sqlclient.Row;
import io.vertx.mutiny.sqlclient.RowSet;
import io.vertx.mutiny.sqlclient.Tuple;
import jakarta.annotation.Nullable;
import jakarta.inject.Singleton;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;

/** Which instances are to be compared with placement, and the end of what is registered of one. */
@Singleton
class DepartureStore {
    /** For {@link String#formatted}: 1 an instance. A row if a boot or a move of it is open. */
    private static final String UNDER_WAY = """
            SELECT FROM boot_instances JOIN open_boots USING (key) WHERE boot_instances.instance = %1$s
                UNION ALL
                SELECT FROM moves WHERE instance_uuid = %1$s AND state IN ('started', 'reverting')
            """;

    /** Params: 1 token, 2 lease in seconds. Zero rows: another replica compares, or it is too early. */
    static final String TURN = """
            UPDATE comparison SET token = $1, due_at = now() + make_interval(secs => $2)
             WHERE due_at <= now()
            RETURNING released_until, compared_until
            """;

    /** Params: 1 instance, 2 most rows. Instances behind that one. */
    static final String PAGE = "SELECT uuid, declared FROM instances WHERE uuid > $1 ORDER BY uuid LIMIT $2";

    /** For {@link String#formatted}: 1 a common table expression. Params: 2 instances, noted if it has a row. */
    private static final String NOTE_SUSPECTS = """
            INSERT INTO departures (instance)
            SELECT uuid FROM instances, %s WHERE uuid = ANY($2)
             ORDER BY uuid
            ON CONFLICT (instance) DO UPDATE SET due_at = now()
            """;

    /** Params: 1 token, 2 instances that may hold nothing, 3 lease in seconds. Nothing happens if the token is lost. */
    static final String SUSPECTED = """
            WITH going_on AS (
                UPDATE comparison SET due_at = now() + make_interval(secs => $3) WHERE token = $1 RETURNING 1)
            """ + NOTE_SUSPECTS.formatted("going_on");

    /**
     * Params: 1 token, 2 instances that may hold nothing, 3 instances that hold something, 4 word of placement up to
     * where it told or null, 5 instance up to which all were compared, 6 seconds until the next turn. Nothing happens if
     * the token is lost.
     */
    static final String TURN_ENDED = """
            WITH ended AS (
                UPDATE comparison
                   SET token = NULL, due_at = now() + make_interval(secs => $6),
                       released_until = coalesce($4, released_until), compared_until = $5
                 WHERE token = $1
                RETURNING 1),
            holding AS (
                UPDATE instances SET declared = false FROM ended WHERE uuid = ANY($3) AND declared)
            """ + NOTE_SUSPECTS.formatted("ended");

    /**
     * Params: 1 seconds until they are due again, 2 most rows. Instances that are due, each with the version of its
     * registration, null where it has none any more. ARRAY has the due ones looked for once: a plan that is made while
     * few are known looks for them again for each instance otherwise, however many there are by then.
     */
    static final String TAKE_DUE = """
            UPDATE departures SET due_at = now() + make_interval(secs => $1)
             WHERE instance = ANY(ARRAY(SELECT instance FROM departures WHERE due_at <= now()
                                         ORDER BY due_at LIMIT $2 FOR UPDATE SKIP LOCKED))
            RETURNING instance, (SELECT version FROM instances WHERE uuid = instance) AS version
            """;

    /**
     * Params: 1 instances that were due: they hold something, or nothing is registered of them. One that was suspected
     * again since is due again.
     */
    static final String STAY = "DELETE FROM departures WHERE instance = ANY($1) AND due_at > now()";

    /**
     * Params, one element per instance: 1 instances, 2 versions of their registrations. Each goes, and the word of the
     * request that placed it, unless a request about it is open or wrote it since; where it was is kept. A row each that
     * went.
     */
    static final String DEPART = """
            WITH asked AS (
                SELECT instance, version
                  FROM unnest($1::uuid[], $2::bigint[]) AS asked(instance, version)
                 ORDER BY instance),
            gone AS (
                DELETE FROM instances USING asked
                 WHERE uuid = asked.instance AND instances.version = asked.version AND NOT EXISTS (
                %s)
                RETURNING uuid, host, body ->> 'nodename' AS nodename),
            word AS (
                DELETE FROM boot_instances USING gone WHERE instance = uuid)
            UPDATE departures SET due_at = NULL, host = gone.host, nodename = gone.nodename, at = now()
              FROM gone
             WHERE instance = uuid
            RETURNING instance
            """.formatted(UNDER_WAY.formatted("asked.instance"));

    /** Params: 1 instances. A row each. */
    static final String REGISTERED = """
            SELECT instance, (SELECT version FROM instances WHERE uuid = instance) AS version,
                   EXISTS (
                %s) AS under_way
              FROM unnest($1::uuid[]) AS asked(instance)
            """.formatted(UNDER_WAY.formatted("asked.instance"));

    /**
     * Params, one element per instance: 1 instances, 2 versions of their registrations, null for none. All that is known of
     * one goes, unless a request about it is open or wrote it since. A row each: whether it is gone, and whether it had
     * been unregistered before.
     */
    static final String FORGET = """
            WITH asked AS (
                SELECT instance, version,
                       EXISTS (
                %s) AS under_way
                  FROM unnest($1::uuid[], $2::bigint[]) AS asked(instance, version)
                 ORDER BY instance),
            gone AS (
                DELETE FROM instances USING asked
                 WHERE instances.uuid = asked.instance AND instances.version = asked.version AND NOT asked.under_way
                RETURNING instances.uuid),
            free AS (
                SELECT instance FROM asked
                 WHERE NOT under_way AND (version IS NULL OR instance IN (SELECT uuid FROM gone))),
            word AS (
                DELETE FROM boot_instances USING free WHERE boot_instances.instance = free.instance),
            departed AS (
                DELETE FROM departures USING free WHERE departures.instance = free.instance
                RETURNING departures.instance)
            SELECT instance, instance IN (SELECT instance FROM free) AS done,
                   instance IN (SELECT instance FROM departed) AS departed
              FROM asked
            """.formatted(UNDER_WAY.formatted("asked.instance"));

    /** Params: 1 instance. Zero rows: it did not depart, or long ago. */
    static final String LAST_PLACE = "SELECT host, nodename FROM departures WHERE instance = $1 AND due_at IS NULL";

    /** Params: 1 seconds to keep, 2 most rows. ARRAY as in {@link #TAKE_DUE}. */
    static final String PRUNE = """
            DELETE FROM departures
             WHERE instance = ANY(ARRAY(SELECT instance FROM departures
                                         WHERE due_at IS NULL AND at < now() - make_interval(secs => $1)
                                         ORDER BY at LIMIT $2))
            """;

    private final Pool pool;

    DepartureStore(@ReactiveDataSource("decisions") Pool pool) {
        this.pool = pool;
    }

    /** Where the comparison goes on. */
    record Turn(UUID token, @Nullable String releasedUntil, UUID comparedUntil) {}

    /** @param declared whether it was never seen to hold anything and somebody registered it all the same */
    record Compared(UUID instance, boolean declared) {}

    /**
     * One that is to go.
     *
     * @param version of its registration; null without one
     */
    record Due(UUID instance, @Nullable Long version) {}

    /**
     * @param isDone false if a request about it is open, or wrote it since
     * @param hadDeparted whether it was unregistered before
     */
    record Forgotten(boolean isDone, boolean hadDeparted) {}

    record Registered(@Nullable Long version, boolean isUnderWay) {}

    /** Null if it is not this replica's turn. */
    Uni<Turn> turn(double leaseSeconds) {
        UUID token = UUID.randomUUID();
        return pool.preparedQuery(TURN).execute(Tuple.of(token, leaseSeconds)).map(rows -> {
            Row row = first(rows);
            return row == null
                    ? null
                    : new Turn(token, row.getString("released_until"), row.getUUID("compared_until"));
        });
    }

    Uni<List<Compared>> page(UUID behind, int most) {
        return pool.preparedQuery(PAGE).execute(Tuple.of(behind, (long) most)).map(rows -> {
            List<Compared> page = new ArrayList<>(rows.size());
            rows.forEach(row -> page.add(new Compared(row.getUUID("uuid"), row.getBoolean("declared"))));
            return page;
        });
    }

    /** The turn goes on. */
    Uni<Void> suspected(Turn turn, List<UUID> suspects, double leaseSeconds) {
        return pool.preparedQuery(SUSPECTED)
                .execute(Tuple.of(turn.token(), suspects.toArray(UUID[]::new), leaseSeconds))
                .replaceWithVoid();
    }

    Uni<Void> ended(
            Turn turn, List<UUID> suspects, List<UUID> holding, @Nullable String releasedUntil, UUID comparedUntil,
            double againSeconds) {
        return pool.preparedQuery(TURN_ENDED)
                .execute(Tuple.tuple()
                        .addUUID(turn.token())
                        .addArrayOfUUID(suspects.toArray(UUID[]::new))
                        .addArrayOfUUID(holding.toArray(UUID[]::new))
                        .addString(releasedUntil)
                        .addUUID(comparedUntil)
                        .addDouble(againSeconds))
                .replaceWithVoid();
    }

    Uni<List<Due>> takeDue(double againSeconds, int most) {
        return pool.preparedQuery(TAKE_DUE).execute(Tuple.of(againSeconds, (long) most)).map(rows -> {
            List<Due> due = new ArrayList<>(rows.size());
            rows.forEach(row -> due.add(new Due(row.getUUID("instance"), row.getLong("version"))));
            return due;
        });
    }

    Uni<Void> stay(List<UUID> instances) {
        return pool.preparedQuery(STAY).execute(Tuple.of(instances.toArray(UUID[]::new))).replaceWithVoid();
    }

    /** Those that went; no instance may be there twice. */
    Uni<List<UUID>> depart(List<Due> instances) {
        return pool.preparedQuery(DEPART).execute(instancesAndVersions(instances)).map(rows -> {
            List<UUID> gone = new ArrayList<>(rows.size());
            rows.forEach(row -> gone.add(row.getUUID("instance")));
            return gone;
        });
    }

    private static Tuple instancesAndVersions(List<Due> instances) {
        return Tuple.of(
                instances.stream().map(Due::instance).toArray(UUID[]::new),
                instances.stream().map(Due::version).toArray(Long[]::new));
    }

    /** Of each. */
    Uni<Map<UUID, Registered>> registered(List<UUID> instances) {
        return pool.preparedQuery(REGISTERED).execute(Tuple.of(instances.toArray(UUID[]::new))).map(rows -> {
            Map<UUID, Registered> registered = HashMap.newHashMap(rows.size());
            rows.forEach(row -> registered.put(
                    row.getUUID("instance"), new Registered(row.getLong("version"), row.getBoolean("under_way"))));
            return registered;
        });
    }

    /** Of each; no instance may be there twice. */
    Uni<Map<UUID, Forgotten>> forget(List<Due> instances) {
        return pool.preparedQuery(FORGET).execute(instancesAndVersions(instances)).map(rows -> {
            Map<UUID, Forgotten> forgotten = HashMap.newHashMap(rows.size());
            rows.forEach(row -> forgotten.put(
                    row.getUUID("instance"), new Forgotten(row.getBoolean("done"), row.getBoolean("departed"))));
            return forgotten;
        });
    }

    /** Null if it did not depart. */
    Uni<Place> lastPlace(UUID instance) {
        return pool.preparedQuery(LAST_PLACE).execute(Tuple.of(instance)).map(rows -> {
            Row row = first(rows);
            return row == null ? null : new Place(row.getString("host"), row.getString("nodename"));
        });
    }

    Uni<Integer> prune(double keepSeconds, int most) {
        return pool.preparedQuery(PRUNE).execute(Tuple.of(keepSeconds, (long) most)).map(RowSet::rowCount);
    }

    private static @Nullable Row first(RowSet<Row> rows) {
        return rows.size() == 0 ? null : rows.iterator().next();
    }
}
