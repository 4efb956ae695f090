package io.berth.scheduler.host.registry;

import io.berth.scheduler.http.ApiFault;
import io.berth.scheduler.http.JsonBody;
import io.berth.scheduler.json.StrictObject;
import io.smallrye.mutiny.Uni;
import io.vertx.mutiny.sqlclient.Pool;
import io.vertx.mutiny.sqlclient.Row;
import io.vertx.mutiny.sqlclient.RowSet;
import io.vertx.mutiny.sqlclient.Tuple;
import jakarta.inject.Singleton;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.Map;
import java.util.UUID;
import org.jboss.logging.Logger;

/** Reads the registry's changes and the records that changed. */
@Singleton
class RegistryFeedStore {
    private static final Logger LOG = Logger.getLogger(RegistryFeedStore.class);
    /** With more changes than this everything is read again. */
    private static final int CHANGES_MAX = 5_000;

    /**
     * Params: 1 the pg_snapshot text of the picture held. Always one row at least; its collection is null when
     * nothing changed. "releases": some claim is still to be taken back. "behind" means that changes the picture lacks may have been pruned.
     */
    static final String CATCH_UP = """
            SELECT pg_current_snapshot()::text AS snapshot,
                   now() AS as_of,
                   (SELECT xid FROM registry_pruned) >= pg_snapshot_xmin($1::text::pg_snapshot) AS behind,
                   EXISTS (SELECT FROM pending_releases) AS releases,
                   changed.collection,
                   changed.uuid
              FROM (VALUES (1)) AS always(one)
              LEFT JOIN (
                    SELECT DISTINCT collection, uuid
                      FROM registry_changes
                     WHERE xid >= pg_snapshot_xmin($1::text::pg_snapshot)
                       AND NOT pg_visible_in_snapshot(xid, $1::text::pg_snapshot)
                     LIMIT 5001) AS changed ON true
            """;

    /** No params. One row. Taken before everything is read, so that what commits meanwhile is read again later. */
    static final String START = """
            SELECT pg_current_snapshot()::text AS snapshot,
                   now() AS as_of,
                   EXISTS (SELECT FROM pending_releases) AS releases
            """;

    /** No params. All records; last_heartbeat is null but for services. */
    static final String EVERYTHING = """
            SELECT 'cells' AS collection, uuid, body #>> '{}' AS body, NULL::timestamptz AS last_heartbeat FROM cells
            UNION ALL SELECT 'compute_nodes', uuid, body #>> '{}', NULL FROM compute_nodes
            UNION ALL SELECT 'services', uuid, body #>> '{}', last_heartbeat FROM services
            UNION ALL SELECT 'host_aggregates', uuid, body #>> '{}', NULL FROM host_aggregates
            UNION ALL SELECT 'server_groups', uuid, body #>> '{}', NULL FROM server_groups
            UNION ALL SELECT 'instances', uuid, body #>> '{}', NULL FROM instances
            """;

    /** Params: 1 uuids of any collections. A uuid without a row in its collection is a deletion. */
    static final String SOME = """
            SELECT 'cells' AS collection, uuid, body #>> '{}' AS body, NULL::timestamptz AS last_heartbeat
              FROM cells WHERE uuid = ANY($1)
            UNION ALL SELECT 'compute_nodes', uuid, body #>> '{}', NULL FROM compute_nodes WHERE uuid = ANY($1)
            UNION ALL SELECT 'services', uuid, body #>> '{}', last_heartbeat FROM services WHERE uuid = ANY($1)
            UNION ALL SELECT 'host_aggregates', uuid, body #>> '{}', NULL FROM host_aggregates WHERE uuid = ANY($1)
            UNION ALL SELECT 'server_groups', uuid, body #>> '{}', NULL FROM server_groups WHERE uuid = ANY($1)
            UNION ALL SELECT 'instances', uuid, body #>> '{}', NULL FROM instances WHERE uuid = ANY($1)
            """;

    /**
     * Params: 1 seconds to keep. Removes changes that every running transaction already sees and notes up to where;
     * zero rows when there is nothing old.
     */
    static final String PRUNE = """
            WITH edge AS (
                SELECT max(xid) AS xid
                  FROM registry_changes
                 WHERE xid < pg_snapshot_xmin(pg_current_snapshot())
                   AND at < now() - make_interval(secs => $1)),
            noted AS (
                UPDATE registry_pruned SET xid = edge.xid
                  FROM edge WHERE edge.xid > registry_pruned.xid
                RETURNING registry_pruned.xid)
            DELETE FROM registry_changes USING noted WHERE registry_changes.xid <= noted.xid
            """;

    private final Pool pool;

    RegistryFeedStore(Pool pool) {
        this.pool = pool;
    }

    /** A picture and the PostgreSQL snapshot it holds. */
    record Picture(RegistrySnapshot registry, String snapshot) {}

    /** The same picture brought up to now. */
    Uni<Picture> catchUp(Picture held) {
        return pool.preparedQuery(CATCH_UP).execute(Tuple.of(held.snapshot())).chain(rows -> {
            Row first = rows.iterator().next();
            if (first.getBoolean("behind") || rows.size() > CHANGES_MAX) {
                return readEverything();
            }
            String snapshot = first.getString("snapshot");
            Instant asOf = first.getOffsetDateTime("as_of").toInstant();
            boolean releases = first.getBoolean("releases");
            if (first.getString("collection") == null) {
                return Uni.createFrom().item(new Picture(held.registry().after(Map.of(), asOf, releases), snapshot));
            }
            Map<Collection, Map<UUID, RegistryRecord>> changes = new EnumMap<>(Collection.class);
            UUID[] uuids = new UUID[rows.size()];
            int i = 0;
            for (Row row : rows) {
                uuids[i++] = row.getUUID("uuid");
                Collection collection = Collection.ofRoute(row.getString("collection"));
                changes.computeIfAbsent(collection, made -> new HashMap<>()).put(row.getUUID("uuid"), null);
            }
            return pool.preparedQuery(SOME)
                    .execute(Tuple.of(uuids))
                    .map(read -> {
                        addRecords(read, changes);
                        return new Picture(held.registry().after(changes, asOf, releases), snapshot);
                    });
        });
    }

    Uni<Picture> readEverything() {
        return pool.query(START).execute().chain(start -> {
            Row row = start.iterator().next();
            return pool.preparedQuery(EVERYTHING).execute().map(rows -> {
                Map<Collection, Map<UUID, RegistryRecord>> all = new EnumMap<>(Collection.class);
                addRecords(rows, all);
                return new Picture(
                        RegistrySnapshot.EMPTY.after(
                                all, row.getOffsetDateTime("as_of").toInstant(), row.getBoolean("releases")),
                        row.getString("snapshot"));
            });
        });
    }

    /** Removes changes that are older than that and seen by everybody. */
    Uni<Integer> prune(double keepSeconds) {
        return pool.preparedQuery(PRUNE).execute(Tuple.of(keepSeconds)).map(RowSet::rowCount);
    }

    private static void addRecords(RowSet<Row> rows, Map<Collection, Map<UUID, RegistryRecord>> into) {
        for (Row row : rows) {
            Collection collection = Collection.ofRoute(row.getString("collection"));
            UUID uuid = row.getUUID("uuid");
            RegistryRecord record = parse(collection, uuid, row.getString("body"));
            if (record instanceof ComputeService service) {
                OffsetDateTime heartbeat = row.getOffsetDateTime("last_heartbeat");
                record = service.heardAt(heartbeat.toInstant());
            }
            if (record != null) {
                into.computeIfAbsent(collection, made -> new HashMap<>()).put(uuid, record);
            }
        }
    }

    /** Null, and a line in the log, for a body that another version of Berth wrote and this one cannot read. */
    private static RegistryRecord parse(Collection collection, UUID uuid, String body) {
        try {
            return collection.read(
                    uuid, new StrictObject(JsonBody.parse(body.getBytes(StandardCharsets.UTF_8)), "$"));
        } catch (ApiFault unreadable) {
            LOG.errorf("record skipped collection=%s uuid=%s why=%s", collection, uuid, unreadable.getMessage());
            return null;
        }
    }
}
