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
 * Stores server-group reservations in PostgreSQL: makes them, prunes them, and removes source reservations
 * ({@link SourceReservation}: the place of a moving instance on the host that it leaves). The statements that end a
 * request to place instances, or a move, release its other reservations themselves ({@code GroupMembershipSql}).
 */
@Singleton
class GroupReservationStore {
    /**
     * Params: 1 uuids of groups. Takes an advisory lock on each group until the transaction ends, so that no other
     * transaction reserves in the same groups; groups need not be registered. The fixed order of the locks avoids
     * deadlocks. Members must be counted by a later statement, whose snapshot includes the reservations that earlier
     * holders of the locks committed.
     */
    static final String LOCK = """
            SELECT pg_advisory_xact_lock(number)
              FROM (SELECT DISTINCT hashtextextended(server_group::text, 0) AS number
                      FROM unnest($1::uuid[]) AS server_group
                     ORDER BY number) AS numbers
            """;

    /**
     * Makes reservations where the group's policy permits them. Params, each an array with one element per reservation:
     * 1 groups, each once, 2 instances, 3 hosts, 4 holders, 5 policies and 6 maximum members per host, which count only
     * if the group is not registered (null: none and 1), 7 source hosts (null: no source reservation), 8 consumers of
     * the allocations on the source hosts, 9 the providers of these allocations, as array text, 10 members that nova
     * moves from or to the host, as array text. A holder is the key of the request to place instances, or of the move,
     * that releases the reservation.
     *
     * <p>Returns one row per reservation: {@code server_group}, {@code is_taken} (whether the reservation is made),
     * {@code others} (number of other members on the host), {@code most} (maximum members per host), {@code policy}. A
     * member counts on the host where it is registered, on each host where it has a reservation, and on both hosts of a
     * move by nova. Anti-affinity permits a host with fewer other members than the maximum, and always the host where
     * the instance is registered. Affinity permits a host with other members, and any host if no other member is
     * registered or has a reservation. Any other policy, or none, permits every host. A reservation is made only for a
     * holder that is a request in flight or a move in the state {@code started}. The reservation that the same holder
     * has for the instance on another host is deleted, even if the new one is not made; a source reservation stays.
     */
    static final String RESERVE = """
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
                       (SELECT count(DISTINCT present.instance)
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
                                SELECT unnest(cast(asked.moving AS uuid[]))) AS present
                         WHERE present.instance <> asked.instance) AS others
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
            replaced AS (
                DELETE FROM server_group_reservations AS reservation USING asked
                 WHERE reservation.holder = asked.holder AND reservation.instance = asked.instance
                     AND NOT reservation.leaving
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
     * Params: 1 group, 2 instance, 3 holder, 4 migration uuid of the move that is the holder, or null. Deletes the
     * source reservation, unless the move is started or being reverted, in which case the instance may return.
     */
    static final String DELETE_SOURCE = """
            DELETE FROM server_group_reservations
             WHERE server_group = $1 AND instance = $2 AND holder = $3 AND leaving
               AND NOT EXISTS (SELECT FROM moves
                                WHERE migration_uuid = $4 AND state IN ('started', 'reverting'))
            """;

    /**
     * Params: 1 minimum age in seconds. Deletes reservations, except source reservations, whose holder is closed or
     * does not exist: a replica made them after another one had closed its record. Returns a row per reservation, with
     * its {@code holder}.
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
     * The result for one reservation.
     *
     * @param isReserved whether the reservation is made
     * @param others number of other members on the host
     * @param most maximum members per host
     * @param policy the group's policy, or the request's if the group is not registered; null for none
     */
    record ReservationVerdict(boolean isReserved, long others, long most, @Nullable String policy) {}

    /** Makes the reservations that the policies permit, and returns the results by group. No group may occur twice. */
    Uni<Map<UUID, ReservationVerdict>> reserve(List<ReservationRequest> requests) {
        UUID[] groups = requests.stream().map(ReservationRequest::group).toArray(UUID[]::new);
        Tuple params = Tuple.tuple()
                .addArrayOfUUID(groups)
                .addArrayOfUUID(requests.stream().map(ReservationRequest::instance).toArray(UUID[]::new))
                .addArrayOfString(texts(requests, ReservationRequest::host))
                .addArrayOfString(texts(requests, ReservationRequest::holder))
                .addArrayOfString(texts(requests, ReservationRequest::policy))
                .addArrayOfLong(requests.stream().map(ReservationRequest::maxServerPerHost).toArray(Long[]::new))
                .addArrayOfString(texts(requests, each -> each.source() == null ? null : each.source().host()))
                .addArrayOfUUID(requests.stream()
                        .map(each -> each.source() == null ? null : each.source().consumer())
                        .toArray(UUID[]::new))
                .addArrayOfString(
                        texts(requests, each -> each.source() == null ? null : arrayText(each.source().providers())))
                .addArrayOfString(texts(requests,
                        each -> arrayText(each.moving().stream().map(UUID::toString).toList())));
        return pool
                .withTransaction(connection -> connection.preparedQuery(LOCK)
                        .execute(Tuple.of(groups))
                        .chain(() -> connection.preparedQuery(RESERVE).execute(params)))
                .map(rows -> {
                    Map<UUID, ReservationVerdict> judged = new HashMap<>();
                    rows.forEach(row -> judged.put(row.getUUID("server_group"), read(row)));
                    return judged;
                });
    }

    /** Returns the text of a PostgreSQL array; parameters cannot be arrays of arrays of different lengths. */
    private static String arrayText(Collection<String> uuids) {
        return "{" + String.join(",", uuids) + "}";
    }

    private static String[] texts(List<ReservationRequest> requests, Function<ReservationRequest, String> text) {
        return requests.stream().map(text).toArray(String[]::new);
    }

    private static ReservationVerdict read(Row row) {
        return new ReservationVerdict(
                row.getBoolean("is_taken"), row.getLong("others"), row.getLong("most"), row.getString("policy"));
    }

    /** Deletes a source reservation. Returns false if it does not exist or must stay; see {@link #DELETE_SOURCE}. */
    Uni<Boolean> deleteSource(UUID group, UUID instance, String holder, @Nullable UUID migration) {
        return pool.preparedQuery(DELETE_SOURCE)
                .execute(Tuple.of(group, instance, holder, migration))
                .map(rows -> rows.rowCount() > 0);
    }

    /**
     * Deletes reservations, except source reservations, that are older than {@code leftAloneSeconds} and whose holder
     * is not open. Returns their number.
     */
    Uni<Integer> prune(double leftAloneSeconds) {
        return pool.preparedQuery(PRUNE).execute(Tuple.of(leftAloneSeconds)).map(RowSet::size);
    }
}
