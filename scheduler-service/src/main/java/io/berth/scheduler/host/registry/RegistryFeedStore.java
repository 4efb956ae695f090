package io.berth.scheduler.host.registry;

import io.berth.database.ChangeTable;
import io.berth.database.Origin;
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
import java.time.Duration;
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

    private static final ChangeTable CHANGES =
            new ChangeTable("registry_changes", "collection, uuid", "registry_pruned", "xid");

    private static final String HEAD = """
            pg_current_snapshot()::text AS snapshot,
                   now() AS as_of,
            """ + Origin.COLUMNS;

    /**
     * Params: 1 the pg_snapshot text of the picture held, 2 most changes wanted. Always one row at least; its collection
     * is null when nothing changed.
     */
    static final String CATCH_UP = "SELECT\n" + HEAD + ",\n" + CHANGES.isComplete() + """
                   AS complete,
                   changed.collection,
                   changed.uuid
              FROM registry_pruned w
              LEFT JOIN (
            """ + CHANGES.since() + "LIMIT $2) AS changed ON true";

    /** No params. One row. Taken before everything is read, so that what commits meanwhile is read again later. */
    static final String START = "SELECT\n" + HEAD + "\n  FROM registry_pruned w";

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

    private final Pool pool;

    RegistryFeedStore(Pool pool) {
        this.pool = pool;
    }

    /** A picture, the PostgreSQL snapshot it holds, and where it was read. */
    record Picture(RegistrySnapshot registry, String snapshot, Origin origin) {}

    /** The same picture brought up to now. */
    Uni<Picture> catchUp(Picture held) {
        return pool.preparedQuery(CATCH_UP).execute(Tuple.of(held.snapshot(), CHANGES_MAX + 1)).chain(rows -> {
            Row first = rows.iterator().next();
            Origin origin = Origin.of(first);
            if (!origin.equals(held.origin()) || !first.getBoolean("complete") || rows.size() > CHANGES_MAX) {
                return readEverything();
            }
            String snapshot = first.getString("snapshot");
            Instant asOf = first.getOffsetDateTime("as_of").toInstant();
            if (first.getString("collection") == null) {
                return Uni.createFrom().item(
                        new Picture(held.registry().after(Map.of(), asOf), snapshot, origin));
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
                        return new Picture(held.registry().after(changes, asOf), snapshot, origin);
                    });
        });
    }

    Uni<Picture> readEverything() {
        return CHANGES.forgetForeign(pool).chain(() -> pool.query(START).execute()).chain(start -> {
            Row row = start.iterator().next();
            Origin origin = Origin.of(row);
            return pool.preparedQuery(EVERYTHING).execute().map(rows -> {
                Map<Collection, Map<UUID, RegistryRecord>> all = new EnumMap<>(Collection.class);
                addRecords(rows, all);
                return new Picture(
                        RegistrySnapshot.EMPTY.after(
                                all, row.getOffsetDateTime("as_of").toInstant()),
                        row.getString("snapshot"),
                        origin);
            });
        });
    }

    /** Removes changes that are older than that and seen by everybody. */
    Uni<Long> prune(Duration kept) {
        return CHANGES.prune(pool, kept);
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
