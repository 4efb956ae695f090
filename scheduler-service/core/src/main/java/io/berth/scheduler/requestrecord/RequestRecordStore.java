package io.berth.scheduler.requestrecord;

import io.berth.database.SqlFault;
import io.berth.scheduler.claim.AllocationsText;
import io.berth.scheduler.db.Batches;
import io.berth.scheduler.host.registry.instance.GroupMembershipSql;
import io.berth.scheduler.host.registry.instance.InstanceSql;
import io.berth.scheduler.http.JsonBody;
import io.berth.scheduler.lease.FenceNumbers;
import io.quarkus.reactive.datasource.ReactiveDataSource;
import io.smallrye.mutiny.Uni;
import io.vertx.mutiny.sqlclient.Pool;
import io.vertx.mutiny.sqlclient.Row;
import io.vertx.mutiny.sqlclient.RowSet;
import io.vertx.mutiny.sqlclient.Tuple;
import jakarta.annotation.Nullable;
import jakarta.inject.Singleton;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Stores the record of every request that places instances, shared by all replicas. (Deletions of instances insert
 * their records themselves.) A record has a row in {@code request_records}, which changes only when its response is set
 * or invalidated. While the record is open, it has a second, short row in {@code request_leases}, the lease. The owner
 * of an open record is the replica that works on it. Column {@code number} of the lease has the first number of the
 * owner's block of fence numbers ({@link FenceNumbers}), called the owner's number here, until the owner ends its work,
 * or until another replica takes the record over after the lease has expired. A statement with the number of a former
 * owner changes nothing here. Placement refuses a write with a number of a former owner's block after the next owner
 * has settled the consumers ({@link io.berth.scheduler.placement.PlacementClient#settle}) or written to them.
 *
 * <p>At most one record owns an instance ({@code request_instances}).
 */
@Singleton
class RequestRecordStore {
    /** The result columns of a record: those that {@link #read} reads. */
    private static final String COLUMNS = """
            request_records.key, request_records.fingerprint, request_records.instances, request_records.answer,
                request_records.request_id, request_records.first_number,
                      request_leases.key IS NOT NULL AS open, request_leases.number, coalesce(request_leases.attempts,
                          0) AS attempts,
                      coalesce(request_leases.number IS NOT NULL AND request_leases.lease_until >= now(),
                          false) AS worked_on,
                      (SELECT jsonb_object_agg(instance, kept) #>> '{}' FROM request_instances
                        WHERE instance = ANY(request_records.instances)
                            AND request_instances.key = request_records.key) AS kept
            """;

    /**
     * The condition that one of the instances of a record has an open move; formatted with the alias of the record.
     * {@link #START} says why it has OFFSET 0.
     */
    private static final String HAS_OPEN_MOVE = """
            EXISTS (SELECT FROM unnest(%1$s.instances) AS member(instance), LATERAL (
                                 SELECT FROM moves
                                  WHERE instance_uuid = member.instance AND state IN ('started', 'reverting')
                                 OFFSET 0) AS open)""";

    /**
     * Params: 1 key, 2 instances. Returns {@link #COLUMNS} of the record with this key and of the records that own one
     * of the instances.
     */
    static final String FIND = """
            SELECT %s FROM request_records LEFT JOIN request_leases USING (key)
             WHERE request_records.key IN (SELECT $1::text UNION SELECT key FROM request_instances
                 WHERE instance = ANY($2))
             ORDER BY request_records.key
            """.formatted(COLUMNS);

    /**
     * Inserts records with their leases. Params 1 to 8 are arrays with one element per request: 1 key, 2 fingerprint, 3
     * precomputed response, which is valid if the first claim holds, or null, 4 request id, 5 instances as text of an
     * array, 6 JSON text from instance to held allocations or null, 7 registration of the only instance as JSON text or
     * null, 8 first fence number of a request whose record was lost, or null. Param 9: lease in seconds. No key and no
     * instance may occur twice.
     *
     * <p>Returns one row per request that has begun: {@code key}, {@code number} (first fence number of its block),
     * {@code owned} (number of its instances that the record owns; another record may own the others). There is no row
     * for a request whose key has a record. Nor is there a row for a request one of whose instances has an open move,
     * because a rollback of the move would overwrite the claim.
     *
     * <p>A rollback restores the registration that the statement reads from its snapshot. The snapshot may be older
     * than the end of the move or request that owned the instance before, which may have written the registration
     * since. Then the statement aborts with a NOT NULL violation of {@code version}, so that no stale registration is
     * stored, and has to be repeated.
     *
     * <p>Rows are locked in a fixed order. OFFSET 0 forces a lookup of each instance by its key: without it, a generic
     * query plan that was made while the table was small would scan the whole table.
     */
    static final String START = """
            WITH asked AS MATERIALIZED (
                SELECT key, fingerprint, answer, request_id, cast(instances AS uuid[]) AS instances,
                       cast(kept AS jsonb) AS kept, cast(body AS jsonb) AS body, first, %s AS number
                  FROM unnest($1::text[], $2::text[], $3::text[], $4::text[], $5::text[], $6::text[], $7::text[],
                              $8::bigint[])
                       AS asked(key, fingerprint, answer, request_id, instances, kept, body, first)),
            begun AS (
                INSERT INTO request_records (key, fingerprint, instances, answer, request_id, first_number)
                SELECT key, fingerprint, instances, answer, request_id, coalesce(first, number)
                  FROM asked
                 WHERE NOT %s
                 ORDER BY key
                ON CONFLICT DO NOTHING
                RETURNING key),
            opened AS (
                INSERT INTO request_leases (key, number, lease_until)
                SELECT key, number, now() + make_interval(secs => $9)
                  FROM begun
                  JOIN asked USING (key)
                 ORDER BY key),
            owned AS (
                INSERT INTO request_instances AS known (instance, key, kept, before, version)
                SELECT member.instance, asked.key, asked.kept -> cast(member.instance AS text), earlier.body,
                       CASE WHEN asked.body IS NOT NULL THEN coalesce(earlier.version + 1, 0) END
                  FROM begun
                  JOIN asked USING (key)
                 CROSS JOIN unnest(asked.instances) AS member(instance)
                  LEFT JOIN LATERAL (
                       SELECT body, version FROM instances WHERE uuid = member.instance OFFSET 0) AS earlier ON true
                 ORDER BY member.instance
                ON CONFLICT (instance) DO UPDATE
                   SET kept = excluded.kept, version = excluded.version, before = excluded.before
                 WHERE known.key = excluded.key
                RETURNING key, instance, before, version),
            registered AS (
                %s
                  FROM owned
                  JOIN asked USING (key)
                 WHERE asked.body IS NOT NULL
                 ORDER BY owned.instance
                %s)
            SELECT asked.key, asked.number, count(owned.instance) AS owned
              FROM begun
              JOIN asked USING (key)
              LEFT JOIN owned USING (key)
             GROUP BY asked.key, asked.number
            """.formatted(
            FenceNumbers.NEXT, HAS_OPEN_MOVE.formatted("asked"), InstanceSql.insert("owned.instance", "asked.body"),
            InstanceSql.orReplace("excluded.body", """
                    (SELECT owned.version FROM owned
                      WHERE owned.instance = instances.uuid AND owned.version = instances.version + 1
                        AND owned.before = instances.body)"""));

    /**
     * Takes the ownership of an open record. Params: 1 lease in seconds. Formatted with the condition that selects the
     * record. Returns {@link #COLUMNS}.
     */
    private static final String TAKING = """
            UPDATE request_leases
               SET number = %s, lease_until = now() + make_interval(secs => $1)
              FROM request_records
             WHERE request_records.key = request_leases.key AND %%s
            RETURNING %s
            """.formatted(FenceNumbers.NEXT, COLUMNS);

    /**
     * Takes one record. Params: 1 as for {@link #TAKING}, 2 key. Zero rows: the record is not open, or has an owner
     * whose lease has not expired.
     */
    static final String TAKE = TAKING.formatted(
            "request_leases.key = $2 AND (request_leases.number IS NULL OR request_leases.lease_until < now())");

    /**
     * Takes the open record that has been due for the longest time. A record is due when its owner's lease has expired
     * or, without an owner, when its pause is over ({@link #POSTPONE}). Params: 1 as for {@link #TAKING}. Zero rows: no
     * record is due, or other replicas are just taking the records that are due.
     */
    static final String TAKE_DUE = TAKING.formatted("""
            request_leases.key = (
                    SELECT key FROM request_leases WHERE lease_until < now()
                     ORDER BY lease_until LIMIT 1 FOR UPDATE SKIP LOCKED)""");

    /**
     * Opens a placed record with the caller as owner. Params: 1 key, 2 lease in seconds, 3 true if the record itself
     * has to go, because a new request has its key or because no client received its response; false if it is only to
     * end its ownership of instances that hold nothing. Returns {@link #COLUMNS}. Zero rows: there is no such record,
     * or it is open. With 3 true, also if one of its instances has an open move, because a rollback of the move may
     * restore the allocations of the record. With 3 false, also if it owns none of its instances any more.
     */
    static final String REOPEN = """
            WITH placed AS (
                UPDATE request_records SET answer = NULL
                 WHERE key = $1 AND NOT EXISTS (SELECT FROM request_leases
                     WHERE request_leases.key = request_records.key)
                   AND CASE WHEN $3
                            THEN NOT %s
                            ELSE EXISTS (SELECT FROM request_instances
                                          WHERE instance = ANY(request_records.instances)
                                              AND request_instances.key = request_records.key) END
                RETURNING *),
            opened AS (
                INSERT INTO request_leases (key, number, lease_until)
                SELECT key, %s, now() + make_interval(secs => $2) FROM placed
                ON CONFLICT DO NOTHING
                RETURNING *)
            SELECT %s FROM opened AS request_leases JOIN placed AS request_records USING (key)
            """.formatted(HAS_OPEN_MOVE.formatted("request_records"), FenceNumbers.NEXT, COLUMNS);

    /**
     * Renews leases. Params: 1 first numbers of owners' blocks, 2 lease in seconds. Returns the numbers whose records
     * are still open and have this owner.
     */
    static final String RENEW = """
            UPDATE request_leases SET lease_until = now() + make_interval(secs => $2)
             WHERE number = ANY($1)
            RETURNING number
            """;

    /**
     * Closes records as placed with their precomputed responses. A record that has another owner stays open. Params:
     * arrays with one element per request, 1 keys, 2 owners' numbers. Returns the keys that have no record any more.
     */
    static final String CLOSE_AS_PLANNED = """
            WITH closed AS (
                DELETE FROM request_leases WHERE key = ANY($1) AND number = ANY($2))
            SELECT asked.key FROM unnest($1::text[]) AS asked(key)
             WHERE NOT EXISTS (SELECT FROM request_records WHERE request_records.key = asked.key)
            """;

    /**
     * Invalidates the precomputed response before the request makes other claims or is rolled back. Params: 1 key, 2
     * owner's number. Returns the key. Zero rows: the record has another owner, is gone, or was closed because another
     * request has returned the precomputed response.
     */
    static final String INVALIDATE_RESPONSE = """
            WITH held AS (
                SELECT key FROM request_leases WHERE key = $1 AND number = $2 FOR UPDATE),
            unanswered AS (
                UPDATE request_records SET answer = NULL FROM held WHERE request_records.key = held.key)
            SELECT key FROM held
            """;

    /**
     * Closes a record of any owner as placed, because the claim of its precomputed response was accepted. Params: 1
     * key. Returns the key. Zero rows: the record is closed already, or has no precomputed response any more
     * ({@link #INVALIDATE_RESPONSE}). The row locks make an invalidation visible that commits while this statement
     * waits for a lock.
     */
    static final String CLOSE_AS_PLANNED_OF_ANY_OWNER = """
            WITH held AS (
                SELECT key FROM request_leases WHERE key = $1 FOR UPDATE),
            planned AS (
                SELECT key FROM request_records JOIN held USING (key) WHERE answer IS NOT NULL
                    FOR UPDATE OF request_records)
            DELETE FROM request_leases USING planned WHERE request_leases.key = planned.key
            RETURNING request_leases.key
            """;

    /**
     * Closes a record as placed, registers the instances, makes them members of their server group, and deletes their
     * server-group reservations, except source reservations (on hosts that instances leave). Params: 1 key, 2 owner's
     * number, 3 response, 4 instances, 5 their registrations as JSON text in the same order, 6 whether an existing
     * registration keeps the members that the new one lacks. Returns the key. Zero rows: the record has another owner,
     * is closed or is gone.
     */
    static final String CLOSE_AS_PLACED = """
            WITH closed AS (
                DELETE FROM request_leases WHERE key = $1 AND number = $2 RETURNING key),
            placed AS (
                UPDATE request_records SET answer = $3 FROM closed WHERE request_records.key = closed.key
                RETURNING request_records.key),
            %s,
            registered AS (
                %s
                  FROM placed, unnest($4::uuid[], $5::text[]) AS member(uuid, body)
                 ORDER BY member.uuid
                %s)
            SELECT key FROM placed
            """.formatted(
            GroupMembershipSql.releaseAndJoin("placed", "placed.key"),
            InstanceSql.insert("member.uuid", "cast(member.body AS jsonb)"),
            InstanceSql.orReplace("CASE WHEN $6 THEN instances.body || excluded.body ELSE excluded.body END"));

    /**
     * Adds 1 to the builds that failed since the node's last report. Params: 1 host, 2 node name or null for all nodes
     * of the host.
     */
    static final String COUNT_FAILED_BUILD = """
            UPDATE compute_nodes
               SET version = version + 1,
                   body = jsonb_set(body, '{failed_builds}',
                                    to_jsonb(coalesce((body ->> 'failed_builds')::bigint, 0) + 1))
             WHERE host = $1 AND ($2::text IS NULL OR nodename = $2)
            """;

    /**
     * Deletes the record of a request whose claims do not hold, and its server-group reservations. Restores each
     * instance's registration from before the request, or deletes the registration if there was none, unless it was
     * written again since. Changes nothing if the record has another owner or is closed. Params: 1 key, 2 owner's
     * number.
     */
    static final String DELETE_ROLLED_BACK = """
            WITH closed AS (
                DELETE FROM request_leases WHERE key = $1 AND number = $2 RETURNING key),
            forgotten AS (
                DELETE FROM request_records USING closed WHERE request_records.key = closed.key
                RETURNING request_records.key, request_records.instances),
            owned AS (
                SELECT request_instances.instance, request_instances.before, request_instances.version
                  FROM forgotten, unnest(forgotten.instances) AS member
                  JOIN request_instances ON request_instances.instance = member
                 WHERE request_instances.key = $1),
            gone AS (
                %s
                   AND instances.version = owned.version AND owned.before IS NULL),
            restored AS (
                %s
                  FROM owned
                 WHERE instances.uuid = owned.instance AND instances.version = owned.version
                   AND owned.before IS NOT NULL),
            given_up AS (
                DELETE FROM server_group_reservations USING closed WHERE server_group_reservations.holder = closed.key)
            DELETE FROM request_instances USING owned
             WHERE request_instances.instance = owned.instance
            """.formatted(InstanceSql.delete("owned", "instance"), InstanceSql.update("owned.before"));

    /**
     * Ends the ownership of an open record and counts a failed attempt. Changes nothing if the record has another owner
     * or another request id. Params: 1 key, 2 owner's number or null for the number of the first owner, 3 request id, 4
     * seconds until the record is due again.
     */
    static final String POSTPONE = """
            UPDATE request_leases
               SET number = NULL, attempts = attempts + 1, lease_until = now() + make_interval(secs => $4)
              FROM request_records
             WHERE request_leases.key = $1 AND request_records.key = $1 AND request_records.request_id = $3
               AND request_leases.number = coalesce($2, request_records.first_number)
            """;

    /**
     * Ends the ownership of instances by placed records. Open records keep their instances, and so does the record with
     * the given key. Params: 1 instances, 2 key. Returns the instances that other open records own.
     */
    static final String END_OWNERSHIP = """
            WITH their AS (
                SELECT request_instances.instance, request_instances.key, request_leases.key IS NOT NULL AS open
                  FROM request_instances
                  LEFT JOIN request_leases USING (key)
                 WHERE request_instances.instance = ANY($1)),
            left_alone AS (
                DELETE FROM request_instances USING their
                 WHERE request_instances.instance = their.instance AND request_instances.key = their.key
                   AND NOT their.open AND their.key <> $2)
            SELECT instance FROM their WHERE open AND key <> $2
            """;

    /**
     * Deletes the oldest closed records, and ends their ownership of instances. Params: 1 minimum seconds since the
     * request began, 2 maximum records. Returns one row per deleted record. ARRAY makes PostgreSQL run the subquery
     * once: a generic query plan that was made while the table was small would run it again for each record.
     */
    static final String PRUNE = """
            WITH old AS (
                DELETE FROM request_records
                 WHERE key = ANY(ARRAY(
                        SELECT key FROM request_records
                         WHERE begun_at < now() - make_interval(secs => $1)
                           AND NOT EXISTS (SELECT FROM request_leases WHERE request_leases.key = request_records.key)
                         ORDER BY begun_at LIMIT $2))
                RETURNING key, instances),
            left_alone AS (
                DELETE FROM request_instances USING old
                 WHERE request_instances.instance = ANY(old.instances) AND request_instances.key = old.key)
            SELECT key FROM old
            """;

    /**
     * Counts the open records and moves on which no replica works, because they have no owner or the lease has expired.
     * No params. Returns one row: {@code count}; and {@code oldest_seconds}, the longest time since one of the requests
     * began or one of the moves last changed, 0 if there is none.
     */
    static final String COUNT = """
            WITH left_open AS (
                SELECT begun_at AS since, number IS NULL OR lease_until < now() AS ownerless FROM request_leases
                    JOIN request_records USING (key)
                UNION ALL
                SELECT changed_at, number IS NULL OR lease_until < now() FROM moves WHERE state IN ('started',
                    'reverting'))
            SELECT count(*)::float8 AS count,
                   coalesce(extract(epoch FROM now() - min(since)), 0)::float8 AS oldest_seconds
              FROM left_open
             WHERE ownerless
            """;

    /** Maximum records that one statement inserts. */
    static final int STARTS_MAX = 128;
    /** Maximum repetitions of an insertion whose snapshot had a stale registration. */
    private static final int STALE_REPEATS_MAX = 3;
    /** Time limit of one insertion. */
    private static final Duration START_MAX = Duration.ofSeconds(10);

    private final Pool pool;
    /**
     * Collects the records that begin while an insertion is in flight; they share the next statement and its commit, so
     * that the cost per record falls as load rises.
     */
    private final Batches<RecordStart, NewRecord> starts;

    RequestRecordStore(@ReactiveDataSource("decisions") Pool pool) {
        this.pool = pool;
        this.starts = new Batches<>(STARTS_MAX, START_MAX, RequestRecordStore::uniqueValues, together -> start(
                together, RequestLeases.LEASE.toSeconds())
                .map(begun -> start -> begun.getOrDefault(start.key().key(), NewRecord.NONE)));
    }

    /** Returns the record with the key of a request, and the records that own one of its instances. */
    Uni<List<RequestRecord>> find(IdempotencyKey requestKey) {
        return pool.preparedQuery(FIND)
                .execute(Tuple.of(requestKey.key(), requestKey.instances().toArray(UUID[]::new)))
                .map(rows -> {
                    List<RequestRecord> records = new ArrayList<>();
                    rows.forEach(row -> records.add(read(row)));
                    return records;
                });
    }

    /**
     * Writes the record of a request that begins. Returns {@link NewRecord#NONE} if a record of this key exists, or one
     * of the instances has an open move.
     */
    Uni<NewRecord> begin(RecordStart start) {
        return starts.add(start);
    }

    /** Returns the values that must be unique within a statement: the key of the record and its instances. */
    private static List<Object> uniqueValues(RecordStart start) {
        return Stream.<Object>concat(Stream.of(start.key().key()), start.key().instances().stream()).toList();
    }

    /** Writes records, and returns those that have begun by their keys. No key or instance may occur twice. */
    Uni<Map<String, NewRecord>> start(List<RecordStart> starts, double leaseSeconds) {
        Tuple params = Tuple.tuple()
                .addArrayOfString(texts(starts, start -> start.key().key()))
                .addArrayOfString(texts(starts, start -> start.key().fingerprint()))
                .addArrayOfString(texts(starts, RecordStart::answer))
                .addArrayOfString(texts(starts, start -> start.key().requestId()))
                .addArrayOfString(texts(starts, start -> start.key().instances().stream()
                        .map(UUID::toString)
                        .collect(Collectors.joining(",", "{", "}"))))
                .addArrayOfString(texts(starts, RecordStart::heldBefore))
                .addArrayOfString(texts(starts, RecordStart::registration))
                .addArrayOfLong(starts.stream().map(RecordStart::firstNumber).toArray(Long[]::new))
                .addDouble(leaseSeconds);
        Uni<RowSet<Row>> written = pool.preparedQuery(START).execute(params)
                .onFailure(SqlFault.NOT_NULL_VIOLATION::isKindOf).retry().atMost(STALE_REPEATS_MAX);
        return written.map(rows -> {
            Map<String, NewRecord> begun = new HashMap<>();
            rows.forEach(
                    row -> begun.put(row.getString("key"), new NewRecord(row.getLong("number"), row.getLong("owned"))));
            return begun;
        });
    }

    /**
     * The result of writing a record.
     *
     * @param number owner's number
     * @param owned how many of its instances the record owns; fewer than all if another record, open or placed, owns
     *     some
     */
    record NewRecord(long number, long owned) {
        /** No record was written. */
        static final NewRecord NONE = new NewRecord(0, 0);
    }

    private static String[] texts(List<RecordStart> starts, Function<RecordStart, String> text) {
        return starts.stream().map(text).toArray(String[]::new);
    }

    /**
     * Takes the ownership of an open record. Returns null if the record is not open, or has an owner whose lease has
     * not expired.
     */
    Uni<RequestRecord> take(String key, double leaseSeconds) {
        return pool.preparedQuery(TAKE).execute(Tuple.of(leaseSeconds, key)).map(RequestRecordStore::first);
    }

    /**
     * Opens a placed record with the caller as owner, which must then roll the request back or delete the record.
     *
     * @param mustDeleteRecord true if the record itself has to go, false if it is only to end its ownership of
     *     instances that hold nothing
     * @return null if the record is open already or gone. With {@code mustDeleteRecord}, also if one of its instances
     *     has an open move; otherwise also if it owns none of its instances any more
     */
    Uni<RequestRecord> reopen(String key, double leaseSeconds, boolean mustDeleteRecord) {
        return pool.preparedQuery(REOPEN).execute(Tuple.of(key, leaseSeconds, mustDeleteRecord))
                .map(RequestRecordStore::first);
    }

    /** Takes over the open record that has been due for the longest time; null if none is due. */
    Uni<RequestRecord> takeDue(double leaseSeconds) {
        return pool.preparedQuery(TAKE_DUE).execute(Tuple.of(leaseSeconds)).map(RequestRecordStore::first);
    }

    /**
     * Renews leases.
     *
     * @param numbers owners' numbers
     * @return the numbers of the owners that still own their records
     */
    Uni<Set<Long>> renew(Collection<Long> numbers, double leaseSeconds) {
        return pool.preparedQuery(RENEW)
                .execute(Tuple.of(numbers.toArray(Long[]::new), leaseSeconds))
                .map(rows -> {
                    Set<Long> renewed = new HashSet<>();
                    rows.forEach(row -> renewed.add(row.getLong("number")));
                    return renewed;
                });
    }

    /**
     * Closes records as placed with their precomputed responses. A record that has another owner stays open.
     *
     * @param numbers key to owner's number
     * @return the keys that have no record, because a standby that lacked it became primary, or because the allocations
     *     were released and the record was deleted
     */
    Uni<Set<String>> closeAsPlanned(Map<String, Long> numbers) {
        return pool.preparedQuery(CLOSE_AS_PLANNED)
                .execute(Tuple.of(
                        numbers.keySet().toArray(String[]::new), numbers.values().toArray(Long[]::new)))
                .map(rows -> {
                    Set<String> lost = new HashSet<>();
                    rows.forEach(row -> lost.add(row.getString("key")));
                    return lost;
                });
    }

    /**
     * Closes a record of any owner as placed. Returns false if the record was closed before, or its response was
     * invalidated.
     */
    Uni<Boolean> closeAsPlannedOfAnyOwner(RequestRecord record) {
        return pool.preparedQuery(CLOSE_AS_PLANNED_OF_ANY_OWNER).execute(Tuple.of(record.key()))
                .map(rows -> rows.size() > 0);
    }

    /**
     * Invalidates the precomputed response. Returns false if the record has another owner or is gone, or another
     * request has returned the response already; then the caller must not claim, and may roll back only a record that
     * is gone.
     */
    Uni<Boolean> invalidateResponse(String key, long number) {
        return pool.preparedQuery(INVALIDATE_RESPONSE).execute(Tuple.of(key, number)).map(rows -> rows.size() > 0);
    }

    /**
     * Closes a record as placed, and registers its instances ({@link #CLOSE_AS_PLACED}).
     *
     * @param bodies registrations of the instances as JSON text, in the order of the instances
     * @param keepsRest whether an existing registration keeps the members that the new one lacks
     * @return false if the record has another owner, is closed or is gone
     */
    Uni<Boolean> closeAsPlaced(
            String key, long number, String answer, List<UUID> instances, List<String> bodies, boolean keepsRest) {
        return pool.preparedQuery(CLOSE_AS_PLACED)
                .execute(Tuple.of(
                        key, number, answer, instances.toArray(UUID[]::new), bodies.toArray(String[]::new), keepsRest))
                .map(rows -> rows.size() > 0);
    }

    Uni<Void> countFailedBuild(String host, @Nullable String nodename) {
        return pool.preparedQuery(COUNT_FAILED_BUILD).execute(Tuple.of(host, nodename)).replaceWithVoid();
    }

    /**
     * Deletes the record of a request whose claims do not hold, and restores the earlier registrations, see
     * {@link #DELETE_ROLLED_BACK}. Changes nothing if the record has another owner.
     */
    Uni<Void> deleteRolledBack(String key, long number) {
        return pool.preparedQuery(DELETE_ROLLED_BACK).execute(Tuple.of(key, number)).replaceWithVoid();
    }

    /**
     * Ends the ownership of a record.
     *
     * @param number owner's number; null for the number of the first owner, if the caller does not know it
     * @param seconds pause until the record is due again
     */
    Uni<Void> postpone(String key, @Nullable Long number, String requestId, double seconds) {
        return pool.preparedQuery(POSTPONE).execute(Tuple.of(key, number, requestId, seconds)).replaceWithVoid();
    }

    /**
     * Ends the ownership of instances by placed records.
     *
     * @param key key of a record that keeps its instances; empty for none
     * @return the instances that other open records own, and keep
     */
    Uni<List<UUID>> endOwnership(List<UUID> instances, String key) {
        return pool.preparedQuery(END_OWNERSHIP).execute(Tuple.of(instances.toArray(UUID[]::new), key)).map(rows -> {
            List<UUID> open = new ArrayList<>(rows.size());
            rows.forEach(row -> open.add(row.getUUID("instance")));
            return open;
        });
    }

    /** Deletes old closed records, at most {@code max}, and returns how many it deleted. */
    Uni<Integer> prune(double keepSeconds, int max) {
        return pool.preparedQuery(PRUNE).execute(Tuple.of(keepSeconds, (long) max)).map(RowSet::size);
    }

    /**
     * The number of open records and moves on which no replica works, and the age of the oldest in seconds; NaN if
     * unknown.
     */
    record Backlog(double count, double oldestSeconds) {
        static final Backlog UNKNOWN = new Backlog(Double.NaN, Double.NaN);
    }

    Uni<Backlog> count() {
        return pool.query(COUNT).execute().map(rows -> {
            Row row = rows.iterator().next();
            return new Backlog(row.getDouble("count"), row.getDouble("oldest_seconds"));
        });
    }

    private static @Nullable RequestRecord first(RowSet<Row> rows) {
        return rows.size() == 0 ? null : read(rows.iterator().next());
    }

    private static RequestRecord read(Row row) {
        return new RequestRecord(
                row.getString("key"),
                row.getString("fingerprint"),
                List.of(row.getArrayOfUUIDs("instances")),
                row.getString("answer"),
                row.getString("request_id"),
                row.getLong("first_number"),
                row.getBoolean("open")
                        ? new RequestRecord.Open(row.getLong("number"), row.getBoolean("worked_on"),
                                row.getInteger("attempts"))
                        : new RequestRecord.Placed(),
                parseHeld(row.getString("kept")));
    }

    private static Map<UUID, Map<String, Map<String, Long>>> parseHeld(@Nullable String text) {
        if (text == null) {
            return Map.of();
        }
        Map<UUID, Map<String, Map<String, Long>>> kept = new HashMap<>();
        JsonBody.parse(text.getBytes(StandardCharsets.UTF_8)).properties().forEach(each -> kept.put(
                UUID.fromString(each.getKey()),
                each.getValue().isNull() ? Map.of() : AllocationsText.read(each.getValue())));
        return kept;
    }
}
