package io.berth.scheduler.groupreservation;

import io.quarkus.reactive.datasource.ReactiveDataSource;
import io.smallrye.mutiny.Uni;
import io.vertx.mutiny.sqlclient.Pool;
import io.vertx.mutiny.sqlclient.Row;
import io.vertx.mutiny.sqlclient.RowSet;
import io.vertx.mutiny.sqlclient.Tuple;
import jakarta.annotation.Nullable;
import jakarta.inject.Singleton;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.function.Function;

/**
 * Stores group reservations in PostgreSQL. The records of placement requests and moves release theirs in their own
 * statements.
 */
@Singleton
class GroupReservationStore {
    /**
     * Params: 1 groups. Locks the groups until the transaction ends, whether or not they are registered, so that no
     * other transaction reserves in them. The locks are taken in a fixed order. Members must be counted by a later
     * statement, which sees what other transactions committed before they released the lock.
     */
    static final String LOCK = """
            SELECT pg_advisory_xact_lock(number)
              FROM (SELECT DISTINCT hashtextextended(server_group::text, 0) AS number
                      FROM unnest($1::uuid[]) AS server_group
                     ORDER BY number) AS numbers
            """;

    /**
     * Params, one element per reservation: 1 groups, 2 instances, 3 hosts, 4 holders, 5 policies or nulls, 6 most per
     * host or nulls, 7 source hosts or nulls, 8 consumers of the allocations there, 9 their providers, as array text,
     * 10 members that nova moves from or to the host, as array text. No group may occur twice.
     *
     * <p>Returns one row per reservation: whether it is made, and how many other members are on the host. Members
     * count where they are registered, where they have a reservation, and where nova moves them from and to; an
     * instance never counts for itself. Nothing is reserved under a record that is closed.
     */
    static final String TAKE = """
            WITH asked AS (
                SELECT asked.*,
                       CASE WHEN server_groups.uuid IS NULL THEN said_policy
                            ELSE server_groups.body ->> 'policy' END AS policy,
                       coalesce(CASE WHEN server_groups.uuid IS NULL THEN said_most
                                     ELSE (server_groups.body #>> '{rules,max_server_per_host}')::bigint END, 1) AS most
                  FROM unnest($1::uuid[], $2::uuid[], $3::text[], $4::text[], $5::text[], $6::bigint[], $7::text[],
                              $8::uuid[], $9::text[], $10::text[])
                           AS asked(server_group, instance, host, holder, said_policy, said_most, left_host, consumer,
                                    providers, moving)
                  LEFT JOIN server_groups ON server_groups.uuid = asked.server_group),
            counted AS (
                SELECT asked.*,
                       (SELECT count(DISTINCT there.instance)
                          FROM (SELECT instances.uuid AS instance
                                  FROM instances
                                 WHERE instances.host = asked.host
                                   AND EXISTS (SELECT FROM server_group_members AS member
                                                WHERE member.server_group = asked.server_group
                                                  AND member.instance = instances.uuid)
                                UNION ALL
                                SELECT reservation.instance
                                  FROM server_group_reservations AS reservation
                                 WHERE reservation.server_group = asked.server_group AND reservation.host = asked.host
                                UNION ALL
                                SELECT unnest(cast(asked.moving AS uuid[]))) AS there
                         WHERE there.instance <> asked.instance) AS others
                  FROM asked),
            judged AS (
                SELECT counted.*,
                       CASE WHEN holder LIKE 'move:%'
                            THEN EXISTS (SELECT FROM moves
                                          WHERE migration_uuid = cast(substr(holder, 6) AS uuid) AND state = 'started')
                            ELSE EXISTS (SELECT FROM request_leases WHERE key = holder) END
                       AND CASE policy
                           WHEN 'anti-affinity' THEN others < most OR EXISTS (
                               SELECT FROM instances
                                WHERE instances.uuid = counted.instance AND instances.host = counted.host)
                           WHEN 'affinity' THEN others > 0 OR NOT (
                               EXISTS (SELECT FROM server_group_members AS member
                                         JOIN instances ON instances.uuid = member.instance
                                        WHERE member.server_group = counted.server_group
                                          AND member.instance <> counted.instance)
                               OR EXISTS (SELECT FROM server_group_reservations AS reservation
                                           WHERE reservation.server_group = counted.server_group
                                             AND reservation.instance <> counted.instance))
                           ELSE true END AS is_taken
                  FROM counted),
            given_up AS (
                DELETE FROM server_group_reservations AS reservation USING asked
                 WHERE reservation.holder = asked.holder AND reservation.instance = asked.instance AND NOT reservation.leaving
                   AND reservation.host <> asked.host),
            taken AS (
                INSERT INTO server_group_reservations
                       (server_group, host, instance, holder, leaving, policy, max_server_per_host)
                SELECT server_group, host, instance, holder, false, said_policy, said_most
                  FROM judged WHERE is_taken
                ON CONFLICT DO NOTHING),
            left_behind AS (
                INSERT INTO server_group_reservations
                       (server_group, host, instance, holder, leaving, consumer, providers, policy,
                        max_server_per_host)
                SELECT server_group, left_host, instance, holder, true, consumer, cast(providers AS uuid[]),
                       said_policy, said_most
                  FROM judged WHERE is_taken AND left_host IS NOT NULL
                ON CONFLICT DO NOTHING)
            SELECT server_group, is_taken, others, most, policy FROM judged
            """;

    /**
     * Params: 1 group, 2 instance, 3 holder, 4 migration of the holder or null. Deletes a source reservation, unless
     * the instance may be on its way back.
     */
    static final String LEAVE = """
            DELETE FROM server_group_reservations
             WHERE server_group = $1 AND instance = $2 AND holder = $3 AND leaving
               AND NOT EXISTS (SELECT FROM moves
                                WHERE migration_uuid = $4 AND state IN ('started', 'reverting'))
            """;

    /**
     * Params: 1 seconds that a reservation must be old. Deletes reservations whose record is closed or gone: their
     * writer had lost its record. Returns one row each.
     */
    static final String PRUNE = """
            DELETE FROM server_group_reservations AS reservation
             WHERE NOT leaving AND taken_at < now() - make_interval(secs => $1)
               AND NOT EXISTS (SELECT FROM request_leases WHERE key = reservation.holder)
               AND NOT EXISTS (SELECT FROM moves
                                WHERE state IN ('started', 'reverting')
                                  AND reservation.holder = 'move:' || migration_uuid)
            RETURNING holder
            """;

    private final Pool pool;

    GroupReservationStore(@ReactiveDataSource("decisions") Pool pool) {
        this.pool = pool;
    }

    /**
     * @param others number of other members on the host
     * @param most limit of members per host
     */
    record Judged(boolean isTaken, long others, long most, @Nullable String policy) {}

    /** Makes reservations and returns the results by group; no group may occur twice. */
    Uni<Map<UUID, Judged>> take(List<ReservationRequest> asked) {
        UUID[] groups = asked.stream().map(ReservationRequest::group).toArray(UUID[]::new);
        Tuple params = Tuple.tuple()
                .addArrayOfUUID(groups)
                .addArrayOfUUID(asked.stream().map(ReservationRequest::instance).toArray(UUID[]::new))
                .addArrayOfString(texts(asked, ReservationRequest::host))
                .addArrayOfString(texts(asked, ReservationRequest::holder))
                .addArrayOfString(texts(asked, ReservationRequest::policy))
                .addArrayOfLong(asked.stream().map(ReservationRequest::maxServerPerHost).toArray(Long[]::new))
                .addArrayOfString(texts(asked, each -> each.left() == null ? null : each.left().host()))
                .addArrayOfUUID(asked.stream()
                        .map(each -> each.left() == null ? null : each.left().consumer())
                        .toArray(UUID[]::new))
                .addArrayOfString(texts(asked, each -> each.left() == null ? null : array(each.left().providers())))
                .addArrayOfString(texts(asked, each -> array(each.moving().stream().map(UUID::toString).toList())));
        return pool
                .withTransaction(connection -> connection.preparedQuery(LOCK)
                        .execute(Tuple.of(groups))
                        .chain(() -> connection.preparedQuery(TAKE).execute(params)))
                .map(rows -> {
                    Map<UUID, Judged> judged = new HashMap<>();
                    rows.forEach(row -> judged.put(row.getUUID("server_group"), read(row)));
                    return judged;
                });
    }

    private static String array(Collection<String> uuids) {
        return "{" + String.join(",", uuids) + "}";
    }

    private static String[] texts(List<ReservationRequest> asked, Function<ReservationRequest, String> text) {
        return asked.stream().map(text).toArray(String[]::new);
    }

    private static Judged read(Row row) {
        return new Judged(
                row.getBoolean("is_taken"), row.getLong("others"), row.getLong("most"), row.getString("policy"));
    }

    /** Returns false if the reservation is gone already, or must stay. */
    Uni<Boolean> leave(UUID group, UUID instance, String holder, @Nullable UUID migration) {
        return pool.preparedQuery(LEAVE)
                .execute(Tuple.of(group, instance, holder, migration))
                .map(rows -> rows.rowCount() > 0);
    }

    Uni<Integer> prune(double leftAloneSeconds) {
        return pool.preparedQuery(PRUNE).execute(Tuple.of(leftAloneSeconds)).map(RowSet::size);
    }
}
