package io.berth.scheduler.drain;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.berth.database.Deadlocks;
import io.berth.scheduler.http.ApiFault;
import io.berth.scheduler.http.ErrorCode;
import io.berth.scheduler.http.JsonBody;
import io.berth.scheduler.move.MoveKind;
import io.berth.scheduler.move.MoveState;
import io.smallrye.mutiny.Uni;
import io.vertx.mutiny.sqlclient.Pool;
import io.vertx.mutiny.sqlclient.Row;
import io.vertx.mutiny.sqlclient.RowSet;
import io.vertx.mutiny.sqlclient.SqlClient;
import io.vertx.mutiny.sqlclient.SqlConnection;
import io.vertx.mutiny.sqlclient.Tuple;
import jakarta.annotation.Nullable;
import jakarta.inject.Singleton;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.StreamSupport;

/**
 * Stores drains, at most {@value #DRAINS_MAX}, and disables and enables the services of their hosts. A drain is an
 * operator's request to empty hosts by moving their instances.
 */
@Singleton
class DrainStore {
    /** The maximum number of stored drains; a request to begin a further one fails with 409. */
    static final int DRAINS_MAX = 10_000;

    /**
     * Params: 1 name. At most one row: name, body as JSON text, the user and request that began the drain, and the time
     * when it began. Zero rows: there is no such drain.
     */
    private static final String FIND =
            "SELECT name, body #>> '{}' AS body, user_id, request_id, begun_at FROM drains WHERE name = $1";

    /**
     * Params: 1 drain. One row per host, in the order of the drain: uuids of its compute nodes, uuids of its instances
     * when the drain began, uuid of the service that the drain disabled (null: none), and whether the drain created the
     * service.
     */
    private static final String HOSTS = """
            SELECT host, nodes, instances, service, service_is_new FROM drain_hosts WHERE drain = $1 ORDER BY position
            """;

    /**
     * Params: 1 the name after which the page begins (null: the first page), 2 maximum number of drains. One row per
     * drain, sorted by name, with the members of its body except the selector, which may be long. {@code hosts} is the
     * number of its hosts, {@code instances} the number of instances on them when the drain began, {@code remaining}
     * the number of instances that Berth's own table of instances has on them now.
     */
    private static final String LIST = """
            SELECT name, body ->> 'reason' AS reason, (body ->> 'parallel')::int AS parallel,
                   (body ->> 'per_host')::int AS per_host, user_id, request_id, begun_at, hosts, instances,
                   (SELECT count(*) FROM drain_hosts JOIN instances ON instances.host = drain_hosts.host
                     WHERE drain = name) AS remaining
              FROM drains
              CROSS JOIN LATERAL (SELECT count(*) AS hosts, coalesce(sum(cardinality(instances)), 0) AS instances
                                    FROM drain_hosts WHERE drain = name) AS counted
             WHERE $1::text IS NULL OR name > $1
             ORDER BY name LIMIT $2
            """;

    /**
     * Params: 1 name, 2 body as JSON text, 3 user (null: unknown), 4 request, 5 maximum number of drains. Zero rows:
     * the name exists, or the maximum is reached.
     */
    private static final String INSERT = """
            INSERT INTO drains (name, body, user_id, request_id)
            SELECT $1, cast(cast($2 AS text) AS jsonb), $3, $4 WHERE (SELECT count(*) FROM drains) < $5
            ON CONFLICT (name) DO NOTHING
            """;

    /**
     * Params: 1 drain, 2 hosts as a JSON array of objects with the columns as members. Omits hosts that another drain
     * has; fewer rows are then inserted than there are hosts. Inserts in the order of the hosts' names, so that two
     * drains do not deadlock.
     */
    private static final String INSERT_HOSTS = """
            INSERT INTO drain_hosts (drain, host, position, nodes, instances)
            SELECT $1, host, position, nodes, instances
              FROM jsonb_to_recordset(cast(cast($2 AS text) AS jsonb))
                   AS wanted (host text, position integer, nodes uuid[], instances uuid[])
             ORDER BY host
            ON CONFLICT (host) DO NOTHING
            """;

    /**
     * Params: 1 drain, 2 names of hosts. At most one row: the first of these hosts, by name, that another drain has,
     * and the name of that drain. Zero rows: no other drain has one of the hosts.
     */
    private static final String FIND_CONFLICT =
            "SELECT host, drain FROM drain_hosts WHERE drain <> $1 AND host = ANY($2) ORDER BY host LIMIT 1";

    /**
     * Params: 1 drain, 2 reason. Creates a disabled service for each host of the drain that has no service. One row per
     * created service: its uuid, host, no body before ({@code before} is null), and its body {@code now}.
     */
    private static final String CREATE_SERVICES = """
            WITH made AS (
                INSERT INTO services (uuid, body)
                SELECT gen_random_uuid(), jsonb_build_object('host', host, 'disabled', true, 'disabled_reason',
                    $2::text)
                  FROM drain_hosts
                 WHERE drain = $1 AND NOT EXISTS (SELECT FROM services WHERE services.host = drain_hosts.host)
                 ORDER BY host
                ON CONFLICT (host) DO NOTHING
                RETURNING uuid, host, body #>> '{}' AS now)
            UPDATE drain_hosts SET service = made.uuid, service_is_new = true
              FROM made WHERE drain_hosts.host = made.host
            RETURNING made.uuid, made.host, cast(NULL AS text) AS before, made.now
            """;

    /**
     * Params: 1 drain, 2 reason. Disables the enabled services of the drain's hosts. Locks services in the order of
     * their uuids, as other writers do. One row per changed service: its uuid, host, and its body
     * {@code before} and after ({@code now}) the change.
     */
    private static final String DISABLE_SERVICES = """
            WITH enabled AS MATERIALIZED (
                SELECT services.uuid, services.body
                  FROM services JOIN drain_hosts ON drain_hosts.host = services.host
                 WHERE drain = $1 AND services.body ->> 'disabled' IS DISTINCT FROM 'true'
                 ORDER BY services.uuid FOR UPDATE OF services),
            disabled AS (
                UPDATE services
                   SET body = services.body || jsonb_build_object('disabled', true, 'disabled_reason', $2::text),
                       version = version + 1
                  FROM enabled WHERE services.uuid = enabled.uuid
                RETURNING services.uuid, services.host, enabled.body #>> '{}' AS before, services.body #>> '{}' AS now)
            UPDATE drain_hosts SET service = disabled.uuid
              FROM disabled WHERE drain_hosts.host = disabled.host
            RETURNING disabled.uuid, disabled.host, disabled.before, disabled.now
            """;

    /**
     * Params: 1 drain, 2 reason. Enables the services that the drain disabled, and deletes the services that it
     * created. Leaves out services that are enabled or have another reason, because an operator has changed them since.
     * One row per changed service: its uuid, host, and its body {@code before} and after ({@code now}) the change;
     * {@code now} is null if the service is deleted.
     */
    private static final String ENABLE_SERVICES = """
            WITH ours AS MATERIALIZED (
                SELECT services.uuid, services.host, services.body, service_is_new
                  FROM services JOIN drain_hosts ON drain_hosts.service = services.uuid
                 WHERE drain = $1 AND services.body ->> 'disabled' = 'true'
                   AND services.body ->> 'disabled_reason' = $2
                 ORDER BY services.uuid FOR UPDATE OF services),
            deleted AS (
                DELETE FROM services USING ours WHERE services.uuid = ours.uuid AND service_is_new),
            enabled AS (
                UPDATE services
                   SET body = (services.body - 'disabled_reason') || jsonb_build_object('disabled', false),
                       version = version + 1
                  FROM ours WHERE services.uuid = ours.uuid AND NOT service_is_new
                RETURNING services.uuid, services.body #>> '{}' AS now)
            SELECT ours.uuid, ours.host, ours.body #>> '{}' AS before, enabled.now
              FROM ours LEFT JOIN enabled ON enabled.uuid = ours.uuid
            """;

    /** Like {@link #FIND}, but locks the row: waits for other transactions that stop the drain. */
    private static final String LOCK = FIND + " FOR UPDATE";

    /** Params: 1 name. */
    private static final String DELETE = "DELETE FROM drains WHERE name = $1";

    /**
     * Params: 1 uuids of compute nodes, 2 maximum number of moves. One row per move from these nodes that may still
     * hold allocations on them, the latest first. {@code left_behind} are the providers on which an evacuated instance
     * keeps its allocations: the providers that it used before the move, except those that the move claimed.
     */
    private static final String OPEN_MOVES = """
            SELECT migration_uuid, instance_uuid, source_uuid, kind, state, ARRAY(
                       SELECT jsonb_object_keys(held_before)
                       EXCEPT
                       SELECT jsonb_object_keys(CASE WHEN jsonb_typeof(claimed) = 'object' THEN claimed ELSE '{}' END)
                   ) AS left_behind
              FROM moves
              CROSS JOIN LATERAL (
                  SELECT cast(answer AS jsonb) #> '{selections,0,0,allocation_request,allocations}' AS claimed
                  ) AS answered
             WHERE source_uuid = ANY($1) AND confirmed_at IS NULL AND state IN ('started', 'moved', 'reverting')
             ORDER BY first_number DESC LIMIT $2
            """;

    /**
     * Params: 1 instances. One row per instance: the uuid of the last migration whose move did not fail. An instance
     * without such a move has no row.
     */
    private static final String LAST_MOVES = """
            SELECT DISTINCT ON (instance_uuid) instance_uuid, migration_uuid FROM moves
             WHERE instance_uuid = ANY($1) AND state <> 'failed'
             ORDER BY instance_uuid, first_number DESC
            """;

    private final Pool pool;

    DrainStore(Pool pool) {
        this.pool = pool;
    }

    /**
     * A drain in a list.
     *
     * @param hosts number of the drain's hosts
     * @param instances number of instances on the hosts when the drain began
     * @param remaining number of instances on the hosts now, by Berth's own table of instances
     */
    record Listed(
            String name, String reason, int parallel, int perHost, @Nullable String userId, String requestId,
            Instant begunAt, long hosts, long instances, long remaining) {}

    /**
     * A service that was changed.
     *
     * @param before body as JSON text; null if the service is new
     * @param now body as JSON text; null if the service is deleted
     */
    record ServiceChange(UUID uuid, String host, @Nullable String before, @Nullable String now) {}

    /**
     * A move that may hold allocations on its source.
     *
     * @param source uuid of the compute node that the instance leaves
     * @param leftBehind uuids of providers on which an evacuated instance keeps its allocations; without meaning for
     * other kinds of moves
     */
    record OpenMove(
            UUID migration, UUID instance, UUID source, MoveKind kind, MoveState state, Set<String> leftBehind) {
        /** Returns the consumer that holds the allocations on the source: the migration or the instance. */
        UUID sourceHolder() {
            return kind.sourceHolder(instance, migration);
        }
    }

    /** Returns the drain of this name; null if it does not exist. */
    Uni<StoredDrain> find(String name) {
        return find(pool, FIND, name);
    }

    private static Uni<StoredDrain> find(SqlClient client, String sql, String name) {
        return client.preparedQuery(sql).execute(Tuple.of(name)).chain(rows -> {
            if (rows.size() == 0) {
                return Uni.createFrom().nullItem();
            }
            Row row = rows.iterator().next();
            return client.preparedQuery(HOSTS).execute(Tuple.of(name)).map(hosts -> new StoredDrain(
                    name, DrainBody.stored(name, json(row.getString("body"))), row.getString("user_id"),
                    row.getString("request_id"), row.getOffsetDateTime("begun_at").toInstant(),
                    list(hosts, DrainStore::host)));
        });
    }

    private static JsonNode json(String text) {
        return JsonBody.parse(text.getBytes(StandardCharsets.UTF_8));
    }

    private static DrainedHost host(Row row) {
        return new DrainedHost(
                row.getString("host"), Set.of(row.getArrayOfUUIDs("nodes")), Set.of(row.getArrayOfUUIDs("instances")),
                row.getUUID("service"), row.getBoolean("service_is_new"));
    }

    /**
     * Returns a page of drains, sorted by name.
     *
     * @param marker the page begins after this name; null for the first page
     * @param limit maximum number of drains in the page
     */
    Uni<List<Listed>> list(@Nullable String marker, int limit) {
        return pool.preparedQuery(LIST).execute(Tuple.of(marker, (long) limit))
                .map(rows -> list(rows, row -> new Listed(
                        row.getString("name"), row.getString("reason"), row.getInteger("parallel"),
                        row.getInteger("per_host"), row.getString("user_id"), row.getString("request_id"),
                        row.getOffsetDateTime("begun_at").toInstant(), row.getLong("hosts"), row.getLong("instances"),
                        row.getLong("remaining"))));
    }

    /**
     * Stores the drain and disables the services of its hosts, in one transaction. Returns the changed services; null
     * if a drain of that name exists. Fails with ApiFault (409) if another drain has one of the hosts, or there are
     * {@value #DRAINS_MAX} drains.
     *
     * @param disablesServices whether the services are disabled; false if nova manages them
     */
    Uni<List<ServiceChange>> begin(
            String name, DrainBody body, List<DrainedHost> hosts, @Nullable String userId, String requestId,
            boolean disablesServices) {
        Tuple params = Tuple.of(name, body.json().toString(), userId, requestId, (long) DRAINS_MAX);
        return Deadlocks.repeated(pool.withTransaction(connection -> connection.preparedQuery(INSERT).execute(params)
                .chain(inserted -> inserted.rowCount() == 0
                        ? refusal(connection, name)
                        : insertHosts(connection, name, hosts).chain(() -> disablesServices
                                ? disable(connection, Tuple.of(name, body.reason()))
                                : Uni.createFrom().item(List.of())))));
    }

    /**
     * Returns null if a drain of this name exists; otherwise fails, because the maximum number of drains is reached.
     */
    private static Uni<List<ServiceChange>> refusal(SqlConnection connection, String name) {
        return find(connection, FIND, name).map(found -> {
            if (found == null) {
                throw new ApiFault(
                        ErrorCode.CONFLICT,
                        "there are %d drains already, the maximum: DELETE a drain that is done".formatted(DRAINS_MAX));
            }
            return null;
        });
    }

    private static Uni<Void> insertHosts(SqlConnection connection, String name, List<DrainedHost> hosts) {
        ArrayNode rows = JsonNodeFactory.instance.arrayNode();
        for (int i = 0; i < hosts.size(); i++) {
            DrainedHost host = hosts.get(i);
            ObjectNode json = rows.addObject().put("host", host.host()).put("position", i);
            addUuids(json.putArray("nodes"), host.nodes());
            addUuids(json.putArray("instances"), host.instances());
        }
        return connection.preparedQuery(INSERT_HOSTS).execute(Tuple.of(name, rows.toString()))
                .chain(inserted -> inserted.rowCount() == hosts.size()
                        ? Uni.createFrom().voidItem()
                        : conflict(connection, name, hosts));
    }

    private static void addUuids(ArrayNode array, Set<UUID> uuids) {
        uuids.forEach(uuid -> array.add(uuid.toString()));
    }

    /**
     * Fails with the reason why a host was not inserted: another drain has the host, or had it and ended meanwhile.
     */
    private static Uni<Void> conflict(SqlConnection connection, String name, List<DrainedHost> hosts) {
        Tuple params = Tuple.tuple().addString(name)
                .addArrayOfString(hosts.stream().map(DrainedHost::host).toArray(String[]::new));
        return connection.preparedQuery(FIND_CONFLICT).execute(params).map(rows -> {
            if (rows.size() == 0) {
                throw ApiFault.conflictInFlight(
                        "another drain of these hosts ended during this request; send the request again");
            }
            Row other = rows.iterator().next();
            throw new ApiFault(
                    ErrorCode.CONFLICT,
                    "the drain %s empties host %s already: DELETE that drain first, or leave the host out"
                            .formatted(other.getString("drain"), other.getString("host")));
        });
    }

    private static Uni<List<ServiceChange>> disable(SqlConnection connection, Tuple params) {
        return changeServices(connection, CREATE_SERVICES, params)
                .chain(created -> changeServices(connection, DISABLE_SERVICES, params).map(disabled -> {
                    List<ServiceChange> all = new ArrayList<>(created);
                    all.addAll(disabled);
                    return all;
                }));
    }

    /** Runs a statement that changes services, and returns the changes. */
    private static Uni<List<ServiceChange>> changeServices(SqlConnection connection, String sql, Tuple params) {
        return connection.preparedQuery(sql).execute(params).map(rows -> list(rows, row -> new ServiceChange(
                row.getUUID("uuid"), row.getString("host"), row.getString("before"), row.getString("now"))));
    }

    /**
     * A drain that was ended.
     *
     * @param enabled the services that were enabled or deleted
     */
    record StoppedDrain(StoredDrain drain, List<ServiceChange> enabled) {}

    /**
     * Deletes the drain with its hosts, and enables services, in one transaction. Returns null if there is no such
     * drain.
     *
     * @param enablesServices whether the services that the drain disabled are enabled, and those that it created are
     * deleted, except services that an operator has changed since
     */
    Uni<StoppedDrain> stop(String name, boolean enablesServices) {
        return Deadlocks.repeated(pool.withTransaction(connection -> find(connection, LOCK, name).chain(drain -> {
            if (drain == null) {
                return Uni.createFrom().nullItem();
            }
            Uni<List<ServiceChange>> enabled = enablesServices
                    ? changeServices(connection, ENABLE_SERVICES, Tuple.of(name, drain.body().reason()))
                    : Uni.createFrom().item(List.of());
            return enabled.call(() -> connection.preparedQuery(DELETE).execute(Tuple.of(name)))
                    .map(changes -> new StoppedDrain(drain, changes));
        })));
    }

    /**
     * Returns the moves from these compute nodes that may still hold allocations on them: the latest, at most
     * {@code limit}.
     */
    Uni<List<OpenMove>> openMoves(Set<UUID> nodes, int limit) {
        Tuple params = Tuple.tuple().addArrayOfUUID(nodes.toArray(UUID[]::new)).addLong((long) limit);
        return pool.preparedQuery(OPEN_MOVES).execute(params).map(rows -> list(rows, row -> new OpenMove(
                row.getUUID("migration_uuid"), row.getUUID("instance_uuid"), row.getUUID("source_uuid"),
                MoveKind.of(row.getString("kind")), MoveState.of(row.getString("state")),
                Set.of(row.getArrayOfStrings("left_behind")))));
    }

    /**
     * Returns the uuid of the last migration that did not fail, by instance. An instance without such a migration is
     * missing.
     */
    Uni<Map<UUID, UUID>> lastMoves(List<UUID> instances) {
        return pool.preparedQuery(LAST_MOVES)
                .execute(Tuple.tuple().addArrayOfUUID(instances.toArray(UUID[]::new)))
                .map(rows -> StreamSupport.stream(rows.spliterator(), false).collect(Collectors.toMap(
                        row -> row.getUUID("instance_uuid"), row -> row.getUUID("migration_uuid"))));
    }

    private static <T> List<T> list(RowSet<Row> rows, Function<Row, T> toElement) {
        return StreamSupport.stream(rows.spliterator(), false).map(toElement).toList();
    }
}
