package io.berth.scheduler.instancecleanup;

import io.berth.database.Deadlocks;
import io.berth.scheduler.host.Place;
import io.berth.scheduler.host.registry.ServerGroup;
import io.berth.scheduler.host.registry.instance.GroupMembershipSql;
import io.berth.scheduler.host.registry.instance.InstanceSql;
import io.berth.scheduler.host.registry.instance.LastHostSql;
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

/**
 * SQL of {@link InstanceCleanups} and {@link InstanceDeletion}: stores which instances must be checked in placement,
 * deletes registrations, and restores them. A turn is the right of one replica, limited by a lease, to look for
 * instances that must be checked.
 */
@Singleton
class InstanceCleanupStore {
    /** Prefix of the key of a deletion's request record; the instance's uuid follows. */
    private static final String KEY_PREFIX = "delete:";

    /**
     * Begins a turn. Params: 1 token of the turn, a random uuid, 2 lease in seconds. Returns {@code released_until}
     * (position in placement's log of consumers that released all allocations; null before the first query) and
     * {@code compared_until} (last instance that was compared with placement). Zero rows: another replica has the turn,
     * or no turn is due.
     */
    static final String BEGIN_TURN = """
            UPDATE cleanup_progress SET token = $1, due_at = now() + make_interval(secs => $2)
             WHERE due_at <= now()
            RETURNING released_until, compared_until
            """;

    /**
     * Reads a page of the registered instances. Params: 1 instance after which the page begins, 2 maximum rows. Returns
     * {@code uuid} and {@code declared} (whether a client registered the instance, and it was never seen to hold
     * allocations), ordered by uuid.
     */
    static final String PAGE = "SELECT uuid, declared FROM instances WHERE uuid > $1 ORDER BY uuid LIMIT $2";

    /**
     * Stores the results of a turn. Params: 1 token of the turn, 2 suspects (instances that may hold no allocations),
     * which become due for a check if they are registered, 3 instances that hold allocations, which are no longer
     * unverified, 4 position in placement's log of releases, or null to leave it, 5 last compared instance, which ends
     * the turn, or null to continue the turn, 6 seconds until the next turn, or, if the turn continues, of its new
     * lease. Does nothing if another replica has the turn.
     */
    static final String STORE_TURN = """
            WITH turn AS (
                UPDATE cleanup_progress
                   SET token = CASE WHEN $5::uuid IS NULL THEN token END, due_at = now() + make_interval(secs => $6),
                       released_until = coalesce($4, released_until), compared_until = coalesce($5, compared_until)
                 WHERE token = $1
                RETURNING 1),
            holding AS (
                %s FROM turn WHERE uuid = ANY($3) AND declared)
            INSERT INTO instance_cleanups (instance)
            SELECT uuid FROM instances, turn WHERE uuid = ANY($2)
             ORDER BY uuid
            ON CONFLICT (instance) DO UPDATE SET due_at = now()
            """.formatted(InstanceSql.VERIFY);

    /**
     * Takes the instances that are due for a check. Params: 1 seconds until they are due again, 2 maximum rows. Returns
     * {@code instance} and {@code version} of its registration (null if it is not registered). ARRAY makes PostgreSQL
     * run the subquery once; without ARRAY, a plan that was made while the table was small runs it per row.
     */
    static final String TAKE_DUE = """
            UPDATE instance_cleanups SET due_at = now() + make_interval(secs => $1)
             WHERE instance = ANY(ARRAY(SELECT instance FROM instance_cleanups WHERE due_at <= now()
                                         ORDER BY due_at LIMIT $2 FOR UPDATE SKIP LOCKED))
            RETURNING instance, (SELECT version FROM instances WHERE uuid = instance) AS version
            """;

    /**
     * Ends checks by deleting their rows. Params: 1 instances that were due, and that hold allocations or are not
     * registered. Keeps the row of an instance that has become a suspect again, or whose registration was deleted
     * meanwhile.
     */
    static final String END_CHECKS = "DELETE FROM instance_cleanups WHERE instance = ANY($1) AND due_at > now()";

    /**
     * Deletes registrations. Params, each an array with one element per instance: 1 instances, 2 versions of their
     * registrations. Skips an instance whose registration has another version, or for which a request, deletion or move
     * is open. Also deletes the ownership of the instance by an earlier request ({@code request_instances}), stores the
     * last host and server group ({@link LastHostSql}), and makes the instance due for {@link #TAKE_UNREGISTERED}.
     * Returns {@code instance} of each deleted registration.
     */
    static final String DELETE_REGISTRATIONS = """
            WITH asked AS (
                SELECT instance, version
                  FROM unnest($1::uuid[], $2::bigint[]) AS asked(instance, version)
                 ORDER BY instance),
            gone AS (
                %s AND instances.version = asked.version AND NOT EXISTS (
                %s)
                %s),
            disowned AS (
                DELETE FROM request_instances USING gone WHERE instance = uuid)
            %s
            RETURNING instance
            """.formatted(
            InstanceSql.delete("asked", "instance"), OpenRequestSql.of("asked.instance", "''"),
            LastHostSql.RETURNING_GONE,
            LastHostSql.insertLastHosts("now()"));

    /**
     * Begins deletions. A deletion has a request record, as a request that places instances does. The record keeps
     * other requests from claiming allocations for the instance. Params, each an array with one element per instance: 1
     * instances, 2 request ids, 3 versions that the registrations may have, as array text (null: any); and 4 lease in
     * seconds. Returns a row per instance: {@code instance}, {@code version} of its registration (null if not
     * registered), {@code number}, the fencing token of the deletion, and {@code owned}. The number is null if a
     * request that places or moves the instance is open, if another deletion of the instance has an owner, or if the
     * registration has a version that is not permitted. {@code owned} is false if the number is null, or if a
     * concurrent statement has changed the ownership of the instance; the caller must then close the deletion.
     */
    static final String BEGIN_DELETIONS = """
            WITH asked AS MATERIALIZED (
                SELECT instance, request_id, cast(versions AS bigint[]) AS versions, '%s' || instance AS key,
                    %s AS number,
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
                 -- The former owner is a closed placement request; xmin shows that the row has not changed since.
                 WHERE known.key = excluded.key
                    OR known.xmin = (SELECT owner FROM asked WHERE asked.instance = known.instance)
                RETURNING instance)
            SELECT instance, version, CASE WHEN key IN (SELECT key FROM opened) THEN number END AS number,
                   instance IN (SELECT instance FROM owned) AS owned
                FROM asked
            """.formatted(KEY_PREFIX, FenceNumbers.NEXT, OpenRequestSql.of("asked.instance", "asked.key"));

    /**
     * Ends deletions: deletes the registration and the deletion's request record. Params, each an array with one
     * element per instance: 1 instances, 2 fencing tokens of the deletions, 3 versions that the registrations must have
     * (null: any). Returns a row per instance: {@code instance}, {@code done} (false if this replica no longer owns the
     * deletion, or the version differs), and {@code departed} (whether the instance had a row in
     * {@code instance_cleanups}: its registration had been deleted before, or it was due for a check).
     */
    static final String END_DELETIONS = """
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
                %s),
            owned AS (
                DELETE FROM request_instances USING held
                 WHERE request_instances.instance = held.instance AND request_instances.key = held.key),
            departed AS (
                DELETE FROM instance_cleanups USING held WHERE instance_cleanups.instance = held.instance
                RETURNING instance_cleanups.instance)
            SELECT instance, instance IN (SELECT instance FROM held) AS done,
                   instance IN (SELECT instance FROM departed) AS departed
              FROM asked
            """.formatted(KEY_PREFIX, InstanceSql.delete("held", "instance"));

    /**
     * Takes instances whose registration was deleted because they held no allocations, and that must be checked for new
     * ones. Params: 1 maximum rows. Returns {@code instance}. Each instance is returned soon after the deletion, and
     * then whenever the time since the deletion has doubled; the last time is one to two days after the deletion.
     */
    static final String TAKE_UNREGISTERED = """
            UPDATE instance_cleanups
               SET look_at = CASE WHEN at > now() - interval '1 day' THEN now() + greatest(now() - at,
                   interval '1 s') END
             WHERE instance = ANY(ARRAY(SELECT instance FROM instance_cleanups WHERE look_at <= now()
                                         ORDER BY look_at LIMIT $1 FOR UPDATE SKIP LOCKED))
            RETURNING instance
            """;

    /**
     * Restores registrations. Params, each an array with one element per instance: 1 instances that hold allocations, 2
     * their hosts, 3 their nodes. Registers each instance on its host with its former record, and as a member of its
     * server group, if the group is registered or the group's policy is stored. Skips an instance that is registered,
     * or for which a request, deletion or move is open. Returns {@code instance} of each restored registration.
     */
    static final String REGISTER_AGAIN = """
            WITH again AS (
                SELECT instance_cleanups.instance, server_group, policy, max_server_per_host,
                       body || jsonb_build_object('host', place.host, 'nodename', place.nodename) AS body
                  FROM unnest($1::uuid[], $2::text[], $3::text[]) AS place(instance, host, nodename)
                  JOIN instance_cleanups ON instance_cleanups.instance = place.instance
                 WHERE due_at IS NULL AND body IS NOT NULL AND NOT EXISTS (
                %s)),
            registered AS (
                %s FROM again ORDER BY instance
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
            """.formatted(
            OpenRequestSql.of("place.instance", "''"), InstanceSql.insert("instance", "body"),
            GroupMembershipSql.MEMBERS);

    /**
     * Finds the last host of an instance that was registered. Params: 1 instance. Returns the last {@code host},
     * {@code nodename}, {@code server_group}, {@code policy}, {@code most} (maximum members per host), and
     * {@code registered} (whether the instance is registered now). Zero rows: the instance has no stored last host.
     */
    static final String FIND = """
            SELECT host, nodename, server_group, policy,
                   least(greatest(max_server_per_host, 1), 2147483647)::integer AS most,
                   EXISTS (SELECT FROM instances WHERE uuid = $1) AS registered
              FROM instance_cleanups WHERE instance = $1 AND due_at IS NULL
            """;

    /** Deletes old last hosts. Params: 1 minimum age in seconds, 2 maximum rows. ARRAY as in {@link #TAKE_DUE}. */
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

    /**
     * A turn of this replica.
     *
     * @param token identifies the turn
     * @param releasedUntil position in placement's log of releases; null before the first query
     * @param comparedUntil the last instance that was compared with placement
     */
    record Turn(UUID token, @Nullable String releasedUntil, UUID comparedUntil) {}

    /**
     * A registered instance.
     *
     * @param unverified whether a client registered the instance, and it was never seen to hold allocations
     */
    record ComparedInstance(UUID instance, boolean unverified) {}

    /**
     * An instance that is due for a check.
     *
     * @param version version of its registration; null if it is not registered
     */
    record DueCleanup(UUID instance, @Nullable Long version) {}

    /**
     * A deletion that is to begin.
     *
     * @param ifVersions versions that the registration may have; null: any
     */
    record Deletion(UUID instance, String requestId, @Nullable Set<Long> ifVersions) {
        /** Returns the key of the deletion's record. */
        String key() {
            return KEY_PREFIX + instance;
        }
    }

    /**
     * The result of beginning a deletion.
     *
     * @param version version of the registration; null if the instance is not registered
     * @param number fencing token of the deletion; null if the deletion may not begin, see {@link #BEGIN_DELETIONS}
     * @param isOwner false if another request took the instance concurrently: a deletion with a number must then be
     *     closed, because its record is open but does not own the instance
     */
    record BegunDeletion(@Nullable Long version, @Nullable Long number, boolean isOwner) {}

    /**
     * A deletion that is to end.
     *
     * @param number fencing token of the deletion
     * @param ifVersion version that the registration must have; null: any
     */
    record DeletionEnd(UUID instance, long number, @Nullable Long ifVersion) {}

    /**
     * The result of ending a deletion.
     *
     * @param isDone false if the registration has another version, or this replica no longer owns the deletion
     * @param hadCleanupRow whether the instance had a row in {@code instance_cleanups}: its registration had been
     *     deleted before, or it was due for a check
     */
    record EndedDeletion(boolean isDone, boolean hadCleanupRow) {}

    /** Begins a turn; null if another replica has the turn, or none is due. */
    Uni<Turn> beginTurn(double leaseSeconds) {
        UUID token = UUID.randomUUID();
        return pool.preparedQuery(BEGIN_TURN).execute(Tuple.of(token, leaseSeconds)).map(rows -> {
            Row row = first(rows);
            return row == null
                    ? null
                    : new Turn(token, row.getString("released_until"), row.getUUID("compared_until"));
        });
    }

    /** Returns at most {@code rowsMax} registered instances after {@code after}, ordered by uuid. */
    Uni<List<ComparedInstance>> page(UUID after, int rowsMax) {
        return pool.preparedQuery(PAGE).execute(Tuple.of(after, (long) rowsMax)).map(rows -> {
            List<ComparedInstance> page = new ArrayList<>(rows.size());
            rows.forEach(row -> page.add(new ComparedInstance(row.getUUID("uuid"), row.getBoolean("declared"))));
            return page;
        });
    }

    /** Stores suspects during a turn and extends the lease of the turn. */
    Uni<Void> storeSuspects(Turn turn, List<UUID> suspects, double leaseSeconds) {
        return storeTurn(turn, suspects, List.of(), null, null, leaseSeconds);
    }

    /**
     * Stores the results of a turn, and ends the turn if {@code comparedUntil} is not null; see {@link #STORE_TURN}.
     */
    Uni<Void> storeTurn(
            Turn turn, List<UUID> suspects, List<UUID> holding, @Nullable String releasedUntil,
            @Nullable UUID comparedUntil, double nextSeconds) {
        return Deadlocks.repeated(pool.preparedQuery(STORE_TURN)
                .execute(Tuple.tuple()
                        .addUUID(turn.token())
                        .addArrayOfUUID(suspects.toArray(UUID[]::new))
                        .addArrayOfUUID(holding.toArray(UUID[]::new))
                        .addString(releasedUntil)
                        .addUUID(comparedUntil)
                        .addDouble(nextSeconds)))
                .replaceWithVoid();
    }

    /** Returns at most {@code rowsMax} instances that are due, and makes them due again after {@code nextSeconds}. */
    Uni<List<DueCleanup>> takeDue(double nextSeconds, int rowsMax) {
        return pool.preparedQuery(TAKE_DUE).execute(Tuple.of(nextSeconds, (long) rowsMax)).map(rows -> {
            List<DueCleanup> due = new ArrayList<>(rows.size());
            rows.forEach(row -> due.add(new DueCleanup(row.getUUID("instance"), row.getLong("version"))));
            return due;
        });
    }

    /** Ends the check of instances that keep their registration, or have none. */
    Uni<Void> endChecks(List<UUID> instances) {
        return pool.preparedQuery(END_CHECKS).execute(Tuple.of(instances.toArray(UUID[]::new))).replaceWithVoid();
    }

    /** Deletes registrations, and returns the instances whose registration was deleted. No instance may occur twice. */
    Uni<List<UUID>> deleteRegistrations(List<DueCleanup> instances) {
        Tuple params = Tuple.of(
                instances.stream().map(DueCleanup::instance).toArray(UUID[]::new),
                instances.stream().map(DueCleanup::version).toArray(Long[]::new));
        return Deadlocks.repeated(pool.preparedQuery(DELETE_REGISTRATIONS).execute(params))
                .map(InstanceCleanupStore::instances);
    }

    /** Begins deletions and returns the results by instance; no instance may occur twice. */
    Uni<Map<UUID, BegunDeletion>> beginDeletions(List<Deletion> deletions) {
        Tuple params = Tuple.of(
                deletions.stream().map(Deletion::instance).toArray(UUID[]::new),
                deletions.stream().map(Deletion::requestId).toArray(String[]::new),
                deletions.stream().map(InstanceCleanupStore::versions).toArray(String[]::new),
                (double) RequestLeases.LEASE.toSeconds());
        return pool.preparedQuery(BEGIN_DELETIONS).execute(params).map(rows -> {
            Map<UUID, BegunDeletion> begun = HashMap.newHashMap(rows.size());
            rows.forEach(row -> begun.put(
                    row.getUUID("instance"), new BegunDeletion(
                            row.getLong("version"), row.getLong("number"), row.getBoolean("owned"))));
            return begun;
        });
    }

    /** Returns the permitted versions as the text of a PostgreSQL array; null for any version. */
    private static @Nullable String versions(Deletion deletion) {
        return deletion.ifVersions() == null
                ? null
                : deletion.ifVersions().stream().map(String::valueOf).collect(Collectors.joining(",", "{", "}"));
    }

    /** Ends deletions and returns the results by instance; no instance may occur twice. */
    Uni<Map<UUID, EndedDeletion>> endDeletions(List<DeletionEnd> ends) {
        Tuple params = Tuple.of(
                ends.stream().map(DeletionEnd::instance).toArray(UUID[]::new),
                ends.stream().map(DeletionEnd::number).toArray(Long[]::new),
                ends.stream().map(DeletionEnd::ifVersion).toArray(Long[]::new));
        return Deadlocks.repeated(pool.preparedQuery(END_DELETIONS).execute(params)).map(rows -> {
            Map<UUID, EndedDeletion> ended = HashMap.newHashMap(rows.size());
            rows.forEach(row -> ended.put(
                    row.getUUID("instance"), new EndedDeletion(row.getBoolean("done"), row.getBoolean("departed"))));
            return ended;
        });
    }

    /**
     * Returns instances without a registration that must be checked for allocations; see {@link #TAKE_UNREGISTERED}.
     */
    Uni<List<UUID>> takeUnregistered(int rowsMax) {
        return pool.preparedQuery(TAKE_UNREGISTERED).execute(Tuple.of((long) rowsMax))
                .map(InstanceCleanupStore::instances);
    }

    /** Restores registrations on these hosts, and returns the instances whose registration was restored. */
    Uni<List<UUID>> registerAgain(Map<UUID, Place> places) {
        List<Map.Entry<UUID, Place>> entries = List.copyOf(places.entrySet());
        Tuple params = Tuple.of(
                entries.stream().map(Map.Entry::getKey).toArray(UUID[]::new),
                entries.stream().map(entry -> entry.getValue().host()).toArray(String[]::new),
                entries.stream().map(entry -> entry.getValue().nodename()).toArray(String[]::new));
        return Deadlocks.repeated(pool.preparedQuery(REGISTER_AGAIN).execute(params))
                .map(InstanceCleanupStore::instances);
    }

    private static List<UUID> instances(RowSet<Row> rows) {
        List<UUID> instances = new ArrayList<>(rows.size());
        rows.forEach(row -> instances.add(row.getUUID("instance")));
        return instances;
    }

    /** Returns the stored last host of an instance; null if there is none. */
    Uni<Place> lastPlace(UUID instance) {
        return find(instance)
                .map(row -> row == null ? null : new Place(row.getString("host"), row.getString("nodename")));
    }

    /**
     * Returns the last server group of an instance; null if it was in no group, is registered, or has no stored last
     * host.
     */
    Uni<ServerGroup> lastGroup(UUID instance) {
        return find(instance)
                .map(row -> row == null || row.getBoolean("registered") || row.getUUID("server_group") == null
                        ? null
                        : new ServerGroup(
                                row.getUUID("server_group"), null, row.getString("policy"), row.getInteger("most"),
                                Set.of(), false, List.of()));
    }

    private Uni<Row> find(UUID instance) {
        return pool.preparedQuery(FIND).execute(Tuple.of(instance)).map(InstanceCleanupStore::first);
    }

    /** Deletes at most {@code rowsMax} last hosts that are older than {@code keepSeconds}; returns their number. */
    Uni<Integer> prune(double keepSeconds, int rowsMax) {
        return pool.preparedQuery(PRUNE).execute(Tuple.of(keepSeconds, (long) rowsMax)).map(RowSet::rowCount);
    }

    private static @Nullable Row first(RowSet<Row> rows) {
        return rows.size() == 0 ? null : rows.iterator().next();
    }
}
