package io.berth.scheduler.instancecleanup;

import io.berth.database.Deadlocks;
import io.berth.scheduler.groupreservation.JoinedGroup;
import io.berth.scheduler.host.Place;
import io.berth.scheduler.host.registry.ServerGroup;
import io.berth.scheduler.host.registry.instance.LastHosts;
import io.berth.scheduler.lease.FenceNumbers;
import io.berth.scheduler.lease.OpenRequestSql;
import io.berth.scheduler.requestrecord.RequestLeases;
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
import java.util.Set;
import java.util.UUID;
import java.util.stream.Collectors;

/** Stores which instances are to be compared with placement, and ends registrations of instances. */
@Singleton
class InstanceCleanupStore {
    /** Prefix of the key of a deletion's record; the instance follows. */
    private static final String KEY_PREFIX = "delete:";

    /** Params: 1 token of the turn, 2 lease in seconds. Zero rows: another replica compares, or no turn is due. */
    static final String TURN = """
            UPDATE cleanup_progress SET token = $1, due_at = now() + make_interval(secs => $2)
             WHERE due_at <= now()
            RETURNING released_until, compared_until
            """;

    /** Params: 1 instance, 2 maximum of rows. Returns the instances after that one. */
    static final String PAGE = "SELECT uuid, declared FROM instances WHERE uuid > $1 ORDER BY uuid LIMIT $2";

    /**
     * Params: 1 token, 2 instances that may hold nothing, 3 instances that hold allocations, 4 placement's position
     * in its log of releases or null, 5 instance up to which all were compared, null while the turn goes on, 6 seconds
     * until the next turn, or of the lease. Does nothing if the token is lost.
     */
    static final String SUSPECTED = """
            WITH turn AS (
                UPDATE cleanup_progress
                   SET token = CASE WHEN $5::uuid IS NULL THEN token END, due_at = now() + make_interval(secs => $6),
                       released_until = coalesce($4, released_until), compared_until = coalesce($5, compared_until)
                 WHERE token = $1
                RETURNING 1),
            holding AS (
                UPDATE instances SET declared = false FROM turn WHERE uuid = ANY($3) AND declared)
            INSERT INTO instance_cleanups (instance)
            SELECT uuid FROM instances, turn WHERE uuid = ANY($2)
             ORDER BY uuid
            ON CONFLICT (instance) DO UPDATE SET due_at = now()
            """;

    /**
     * Params: 1 seconds until they are due again, 2 maximum of rows. Returns the instances that are due, each with the
     * version of its registration, or null if it has none any more. ARRAY makes PostgreSQL run the subquery once: a
     * query plan made while the table is small would run it again for each instance.
     */
    static final String TAKE_DUE = """
            UPDATE instance_cleanups SET due_at = now() + make_interval(secs => $1)
             WHERE instance = ANY(ARRAY(SELECT instance FROM instance_cleanups WHERE due_at <= now()
                                         ORDER BY due_at LIMIT $2 FOR UPDATE SKIP LOCKED))
            RETURNING instance, (SELECT version FROM instances WHERE uuid = instance) AS version
            """;

    /**
     * Params: 1 instances that were due, but hold allocations or are not registered. Removes them, except those that
     * were suspected again since.
     */
    static final String STAY = "DELETE FROM instance_cleanups WHERE instance = ANY($1) AND due_at > now()";

    /**
     * Params, one element per instance: 1 instances, 2 versions of their registrations. Deletes each registration,
     * and the ownership of the request that placed the instance, unless a request for the instance is open or changed
     * the registration since. Its last host is kept, and its server group with the policy from requests if the group
     * is not registered. Returns a row for each deleted registration.
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
                RETURNING uuid, host, body),
            word AS (
                DELETE FROM request_instances USING gone WHERE instance = uuid)
            %s
            RETURNING instance
            """.formatted(OpenRequestSql.of("asked.instance", "''"), LastHosts.keep("now()"));

    /**
     * Params, one element per instance: 1 instances, 2 request ids, 3 versions that their registrations may have as
     * array text, null for any; 4 lease in seconds. A deletion owns its instance under a record like that of a
     * placement request, so that nothing is claimed for it meanwhile. Returns a row each: the version of its
     * registration, and the number of the deletion; the number is null while another deletion, a placement request or
     * a move is open, or if the version differs.
     */
    static final String BEGIN = """
            WITH asked AS MATERIALIZED (
                SELECT instance, request_id, cast(versions AS bigint[]) AS versions, '%s' || instance AS key, %s AS number,
                       (SELECT version FROM instances WHERE uuid = instance) AS version,
                       (SELECT xmin FROM request_instances WHERE request_instances.instance = asked.instance) AS owner
                  FROM unnest($1::uuid[], $2::text[], $3::text[]) AS asked(instance, request_id, versions)),
            opened AS (
                INSERT INTO request_leases AS open (key, number, lease_until)
                SELECT key, number, now() + make_interval(secs => $4)
                  FROM asked
                 WHERE coalesce(version = ANY(versions), true) AND NOT EXISTS (
                %s)
                 ORDER BY key
                ON CONFLICT (key) DO UPDATE SET number = excluded.number, lease_until = excluded.lease_until
                 WHERE open.number IS NULL OR open.lease_until < now()
                RETURNING key),
            recorded AS (
                INSERT INTO request_records (key, fingerprint, instances, request_id, first_number)
                SELECT key, '', ARRAY[instance], request_id, number FROM opened JOIN asked USING (key) ORDER BY key
                ON CONFLICT (key) DO UPDATE SET request_id = excluded.request_id, first_number = excluded.first_number),
            owned AS (
                INSERT INTO request_instances AS known (instance, key)
                SELECT instance, key FROM opened JOIN asked USING (key) ORDER BY key
                ON CONFLICT (instance) DO UPDATE
                   SET key = excluded.key, kept = NULL, before = NULL, version = NULL
                 -- That of a boot that is closed, if nobody has written it since it was read.
                 WHERE known.key = excluded.key
                    OR known.xmin = (SELECT owner FROM asked WHERE asked.instance = known.instance)
                RETURNING instance)
            SELECT instance, version, CASE WHEN instance IN (SELECT instance FROM owned) THEN number END AS number FROM asked
            """.formatted(KEY_PREFIX, FenceNumbers.NEXT, OpenRequestSql.of("asked.instance", "asked.key"));

    /**
     * Params, one element per instance: 1 instances, 2 numbers of their deletions, 3 versions that their
     * registrations must have, null for any. Deletes the registration and the deletion's record. Returns a row each:
     * whether that is done, and whether the instance had been unregistered before.
     */
    static final String FORGET = """
            WITH asked AS (
                SELECT instance, number, version, '%s' || instance AS key
                  FROM unnest($1::uuid[], $2::bigint[], $3::bigint[]) AS asked(instance, number, version)),
            held AS (
                SELECT key, instance
                  FROM request_leases JOIN asked USING (key, number)
                 WHERE version IS NULL
                    OR version = (SELECT instances.version FROM instances WHERE uuid = instance)
                 ORDER BY key
                   FOR UPDATE OF request_leases),
            closed AS (
                DELETE FROM request_leases USING held WHERE request_leases.key = held.key),
            forgotten AS (
                DELETE FROM request_records USING held WHERE request_records.key = held.key),
            gone AS (
                DELETE FROM instances USING held WHERE uuid = held.instance),
            owned AS (
                DELETE FROM request_instances USING held
                 WHERE request_instances.instance = held.instance AND request_instances.key = held.key),
            departed AS (
                DELETE FROM instance_cleanups USING held WHERE instance_cleanups.instance = held.instance
                RETURNING instance_cleanups.instance)
            SELECT instance, instance IN (SELECT instance FROM held) AS done,
                   instance IN (SELECT instance FROM departed) AS departed
              FROM asked
            """.formatted(KEY_PREFIX);

    /**
     * Params: 1 maximum of rows. Returns instances that were unregistered because they held nothing, one, two, four and
     * so on seconds after that, up to a day.
     */
    static final String TAKE_TO_LOOK_AT = """
            UPDATE instance_cleanups
               SET look_at = CASE WHEN at > now() - interval '1 day' THEN now() + greatest(now() - at, interval '1 s') END
             WHERE instance = ANY(ARRAY(SELECT instance FROM instance_cleanups WHERE look_at <= now()
                                         ORDER BY look_at LIMIT $1 FOR UPDATE SKIP LOCKED))
            RETURNING instance
            """;

    /**
     * Params, one element per instance: 1 instances that hold allocations, 2 their hosts, 3 their nodes. Registers
     * each there as it was before, as a member of its server group, unless it is registered or a request for it is
     * open. Returns a row for each that it registered.
     */
    static final String REGISTER_AGAIN = """
            WITH again AS (
                SELECT instance_cleanups.instance, server_group, policy, max_server_per_host,
                       body || jsonb_build_object('host', there.host, 'nodename', there.nodename) AS body
                  FROM unnest($1::uuid[], $2::text[], $3::text[]) AS there(instance, host, nodename)
                  JOIN instance_cleanups ON instance_cleanups.instance = there.instance
                 WHERE due_at IS NULL AND body IS NOT NULL AND NOT EXISTS (
                %s)),
            registered AS (
                INSERT INTO instances (uuid, body, declared)
                SELECT instance, body, false FROM again ORDER BY instance
                ON CONFLICT DO NOTHING
                RETURNING uuid),
            reserved AS (
                SELECT server_group, instance, policy, max_server_per_host
                  FROM again JOIN registered ON uuid = instance
                 WHERE policy IS NOT NULL
                    OR EXISTS (SELECT FROM server_groups WHERE server_groups.uuid = server_group)),
            %s
            DELETE FROM instance_cleanups USING registered WHERE instance_cleanups.instance = registered.uuid
            RETURNING instance_cleanups.instance
            """.formatted(OpenRequestSql.of("there.instance", "''"), JoinedGroup.MEMBERS);

    /** Params: 1 instance. Zero rows: it was not unregistered, or long ago. */
    static final String FIND = """
            SELECT host, nodename, server_group, policy,
                   least(greatest(max_server_per_host, 1), 2147483647)::integer AS most,
                   EXISTS (SELECT FROM instances WHERE uuid = $1) AS registered
              FROM instance_cleanups WHERE instance = $1 AND due_at IS NULL
            """;

    /** Params: 1 seconds to keep, 2 maximum of rows. ARRAY as in {@link #TAKE_DUE}. */
    static final String PRUNE = """
            DELETE FROM instance_cleanups
             WHERE instance = ANY(ARRAY(SELECT instance FROM instance_cleanups
                                         WHERE due_at IS NULL AND at < now() - make_interval(secs => $1)
                                         ORDER BY at LIMIT $2))
            """;

    private final Pool pool;

    InstanceCleanupStore(@ReactiveDataSource("decisions") Pool pool) {
        this.pool = pool;
    }

    /** One turn of the comparison, with the positions at which it continues. */
    record Turn(UUID token, @Nullable String releasedUntil, UUID comparedUntil) {}

    /** @param declared whether the instance was registered by a client and never seen to hold allocations */
    record Compared(UUID instance, boolean declared) {}

    /**
     * An instance that is to be unregistered.
     *
     * @param version of its registration; null without one
     */
    record Due(UUID instance, @Nullable Long version) {}

    /** @param ifVersions the versions that the registration may have; null: any */
    record Deletion(UUID instance, String requestId, @Nullable Set<Long> ifVersions) {
        /** Returns the key of the deletion's record. */
        String key() {
            return KEY_PREFIX + instance;
        }
    }

    /**
     * @param version of the registration; null without one
     * @param number of the deletion; null while another deletion, a placement request or a move of the instance is
     *     open, or if the version differs
     */
    record Begun(@Nullable Long version, @Nullable Long number) {}

    /** @param ifVersion the version that the registration must have; null: any */
    record End(UUID instance, long number, @Nullable Long ifVersion) {}

    /**
     * @param isDone false if the registration changed since, or the deletion has another owner
     * @param hadDeparted whether it was unregistered before
     */
    record Forgotten(boolean isDone, boolean hadDeparted) {}

    /** Returns null if it is not this replica's turn. */
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

    /** Notes suspects within a turn and extends its lease. */
    Uni<Void> suspected(Turn turn, List<UUID> suspects, double leaseSeconds) {
        return ended(turn, suspects, List.of(), null, null, leaseSeconds);
    }

    /** Ends a turn, unless there is no instance up to which all were compared. */
    Uni<Void> ended(
            Turn turn, List<UUID> suspects, List<UUID> holding, @Nullable String releasedUntil,
            @Nullable UUID comparedUntil, double againSeconds) {
        return Deadlocks.repeated(pool.preparedQuery(SUSPECTED)
                .execute(Tuple.tuple()
                        .addUUID(turn.token())
                        .addArrayOfUUID(suspects.toArray(UUID[]::new))
                        .addArrayOfUUID(holding.toArray(UUID[]::new))
                        .addString(releasedUntil)
                        .addUUID(comparedUntil)
                        .addDouble(againSeconds)))
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

    /** Unregisters instances and returns those that were unregistered; no instance may occur twice. */
    Uni<List<UUID>> depart(List<Due> instances) {
        Tuple params = Tuple.of(
                instances.stream().map(Due::instance).toArray(UUID[]::new),
                instances.stream().map(Due::version).toArray(Long[]::new));
        return Deadlocks.repeated(pool.preparedQuery(DEPART).execute(params)).map(InstanceCleanupStore::instances);
    }

    /** Begins deletions and returns the results by instance; no instance may occur twice. */
    Uni<Map<UUID, Begun>> begin(List<Deletion> deletions) {
        Tuple params = Tuple.of(
                deletions.stream().map(Deletion::instance).toArray(UUID[]::new),
                deletions.stream().map(Deletion::requestId).toArray(String[]::new),
                deletions.stream().map(InstanceCleanupStore::versions).toArray(String[]::new),
                (double) RequestLeases.LEASE.toSeconds());
        return pool.preparedQuery(BEGIN).execute(params).map(rows -> {
            Map<UUID, Begun> begun = HashMap.newHashMap(rows.size());
            rows.forEach(row -> begun.put(
                    row.getUUID("instance"), new Begun(row.getLong("version"), row.getLong("number"))));
            return begun;
        });
    }

    private static @Nullable String versions(Deletion deletion) {
        return deletion.ifVersions() == null
                ? null
                : deletion.ifVersions().stream().map(String::valueOf).collect(Collectors.joining(",", "{", "}"));
    }

    /** Ends deletions and returns the results by instance; no instance may occur twice. */
    Uni<Map<UUID, Forgotten>> forget(List<End> ends) {
        Tuple params = Tuple.of(
                ends.stream().map(End::instance).toArray(UUID[]::new),
                ends.stream().map(End::number).toArray(Long[]::new),
                ends.stream().map(End::ifVersion).toArray(Long[]::new));
        return Deadlocks.repeated(pool.preparedQuery(FORGET).execute(params)).map(rows -> {
            Map<UUID, Forgotten> forgotten = HashMap.newHashMap(rows.size());
            rows.forEach(row -> forgotten.put(
                    row.getUUID("instance"), new Forgotten(row.getBoolean("done"), row.getBoolean("departed"))));
            return forgotten;
        });
    }

    /** Takes instances that must be checked for holding allocations again. */
    Uni<List<UUID>> takeToLookAt(int most) {
        return pool.preparedQuery(TAKE_TO_LOOK_AT).execute(Tuple.of((long) most)).map(InstanceCleanupStore::instances);
    }

    /** Registers instances that were unregistered because they held nothing, and returns those that it registered. */
    Uni<List<UUID>> registerAgain(Map<UUID, Place> places) {
        List<UUID> instances = List.copyOf(places.keySet());
        Tuple params = Tuple.of(
                instances.toArray(UUID[]::new),
                instances.stream().map(each -> places.get(each).host()).toArray(String[]::new),
                instances.stream().map(each -> places.get(each).nodename()).toArray(String[]::new));
        return Deadlocks.repeated(pool.preparedQuery(REGISTER_AGAIN).execute(params)).map(InstanceCleanupStore::instances);
    }

    private static List<UUID> instances(RowSet<Row> rows) {
        List<UUID> instances = new ArrayList<>(rows.size());
        rows.forEach(row -> instances.add(row.getUUID("instance")));
        return instances;
    }

    /** Returns null if the instance was not unregistered, or long ago. */
    Uni<Place> lastPlace(UUID instance) {
        return find(instance).map(row -> row == null ? null : new Place(row.getString("host"), row.getString("nodename")));
    }

    /** Returns null if it had no group, was not unregistered, or is registered again. */
    Uni<ServerGroup> lastGroup(UUID instance) {
        return find(instance).map(row -> row == null || row.getBoolean("registered") || row.getUUID("server_group") == null
                ? null
                : new ServerGroup(
                        row.getUUID("server_group"), null, row.getString("policy"), row.getInteger("most"), Set.of(), false,
                        List.of()));
    }

    private Uni<Row> find(UUID instance) {
        return pool.preparedQuery(FIND).execute(Tuple.of(instance)).map(InstanceCleanupStore::first);
    }

    Uni<Integer> prune(double keepSeconds, int most) {
        return pool.preparedQuery(PRUNE).execute(Tuple.of(keepSeconds, (long) most)).map(RowSet::rowCount);
    }

    private static @Nullable Row first(RowSet<Row> rows) {
        return rows.size() == 0 ? null : rows.iterator().next();
    }
}
