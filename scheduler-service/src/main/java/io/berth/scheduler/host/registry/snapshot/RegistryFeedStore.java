package io.berth.scheduler.host.registry.snapshot;

import io.berth.database.ChangeTable;
import io.berth.database.OneSnapshot;
import io.berth.database.Origin;
import io.berth.scheduler.host.RunningInstance;
import io.berth.scheduler.host.registry.Collection;
import io.berth.scheduler.host.registry.ComputeService;
import io.berth.scheduler.host.registry.RegisteredInstance;
import io.berth.scheduler.host.registry.RegistryRecord;
import io.berth.scheduler.http.ApiFault;
import io.berth.scheduler.http.JsonBody;
import io.berth.scheduler.json.StrictObject;
import io.quarkus.reactive.datasource.ReactiveDataSource;
import io.smallrye.mutiny.Uni;
import io.smallrye.mutiny.infrastructure.Infrastructure;
import io.vertx.mutiny.sqlclient.Cursor;
import io.vertx.mutiny.sqlclient.Pool;
import io.vertx.mutiny.sqlclient.Row;
import io.vertx.mutiny.sqlclient.RowSet;
import io.vertx.mutiny.sqlclient.SqlConnection;
import io.vertx.mutiny.sqlclient.Tuple;
import jakarta.annotation.Nullable;
import jakarta.inject.Singleton;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.Executor;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.StreamSupport;
import org.jboss.logging.Logger;

/**
 * Reads the registry's changes and the records that changed. Few of them are read at once, more by page, and no page by
 * an event loop.
 */
@Singleton
class RegistryFeedStore {
    private static final Logger LOG = Logger.getLogger(RegistryFeedStore.class);
    /** Records that are read at once. */
    private static final int PAGE = 2_000;
    /** Records up to which they are read where the caller is. */
    private static final int QUICK_MAX = 32;
    /** Which part of the heap instances may take: 1.4 million of them take a third of 224 MB. */
    private static final int INSTANCES_HEAP_PART = 3;

    private static final Duration STATEMENT_MAX = Duration.ofSeconds(10);
    /** Who asked nothing for longer reads the last heartbeats of all services. */
    private static final Duration HEARTBEATS_KEPT = Duration.ofMinutes(1);

    private static final ChangeTable CHANGES =
            new ChangeTable("registry_changes", "collection, uuid", "registry_pruned", "xid");
    private static final ChangeTable HEARTBEATS =
            new ChangeTable("heartbeats", "services", "registry_pruned", "heartbeats_xid");

    private static final String INSTANCE_COLUMNS = """
            (body - '{host,nodename,project_id,user_id}'::text[]) #>> '{}' AS body, host, body ->> 'nodename' AS nodename
            """;

    private static final String HEAD = """
            pg_current_snapshot()::text AS snapshot,
                   now() AS as_of,
            """ + Origin.COLUMNS;

    /**
     * Params: 1 the pg_snapshot text of the picture held, 2 most changes wanted. Always one row at least; its uuid is
     * null when nothing changed. Services that were heard have no collection. Instances, which nearly all changes are of,
     * come with their record: without a body they are gone. OFFSET 0 has each looked up by its key.
     */
    static final String CATCH_UP = "SELECT\n" + HEAD + ",\n" + CHANGES.isComplete() + """
                   AS complete,
            """ + HEARTBEATS.isComplete() + """
                   AS heartbeats_complete,
                   changed.collection,
                   changed.uuid,
                   changed.last_heartbeat,
                   instance.*
              FROM registry_pruned w
              LEFT JOIN (
                   (SELECT collection, uuid, NULL::timestamptz AS last_heartbeat FROM (
            """ + CHANGES.since() + """
                    ) AS records LIMIT $2)
                    UNION ALL
                    SELECT NULL, uuid, last_heartbeat FROM services
                     WHERE uuid = ANY(ARRAY(SELECT unnest(services) FROM (
            """ + HEARTBEATS.since() + """
                   ) AS beats))) AS changed ON true
              LEFT JOIN LATERAL (SELECT
            """ + INSTANCE_COLUMNS + """
                     FROM instances
                    WHERE changed.collection = 'instances' AND instances.uuid = changed.uuid OFFSET 0) AS instance ON true
            """;

    /** No params. One row. */
    static final String START = "SELECT\n" + HEAD + "\n  FROM registry_pruned w";

    /** Params: 1 a snapshot (text). One row: where changes since are to be found now. */
    private static final String START_FROM = "SELECT\n" + HEAD + ",\n" + CHANGES.isComplete()
            + " AS complete\n  FROM registry_pruned w";

    /** Params: 1 a snapshot (text). */
    private static final String CHANGES_SINCE = CHANGES.since();

    /** No params. */
    private static final String LAST_HEARTBEATS = "SELECT uuid, last_heartbeat FROM services";

    /** No params. All records. */
    static final String EVERYTHING =
            Arrays.stream(Collection.values()).map(RegistryFeedStore::recordsOf).collect(Collectors.joining(" UNION ALL "));

    /** Params: 1 uuids of any collections. A uuid without a row in its collection is a deletion. */
    static final String SOME = Arrays.stream(Collection.values())
            .map(collection -> recordsOf(collection) + " WHERE uuid = ANY($1)")
            .collect(Collectors.joining(" UNION ALL "));

    /**
     * Where no column but the body is needed the others are null. Of an instance they are what most have to themselves,
     * and the body is what many have in common.
     */
    private static String recordsOf(Collection collection) {
        String columns = switch (collection) {
            case SERVICES -> "body #>> '{}' AS body, NULL AS host, NULL AS nodename, last_heartbeat";
            case INSTANCES -> INSTANCE_COLUMNS + ", NULL::timestamptz AS last_heartbeat";
            case CELLS, COMPUTE_NODES, HOST_AGGREGATES, SERVER_GROUPS ->
                "body #>> '{}' AS body, NULL AS host, NULL AS nodename, NULL::timestamptz AS last_heartbeat";
        };
        String table = collection == Collection.SERVER_GROUPS ? "server_groups_seated" : collection.route();
        return "SELECT '%s' AS collection, uuid, %s FROM %s".formatted(collection.route(), columns, table);
    }

    private final Pool pool;
    private final InstanceKinds instanceKinds = new InstanceKinds();
    /** Pages are read here, one at a time. */
    private final Executor aside = Infrastructure.getDefaultExecutor();

    RegistryFeedStore(@ReactiveDataSource("decisions") Pool pool) {
        this.pool = pool;
    }

    /** A picture, the PostgreSQL snapshot it holds, and where it was read. */
    record Picture(RegistrySnapshot registry, String snapshot, Origin origin) {}

    /** The same picture brought up to now. */
    Uni<Picture> catchUp(Picture held) {
        return timely(pool.preparedQuery(CATCH_UP).execute(Tuple.of(held.snapshot(), PAGE + 1)))
                .chain(rows -> where(rows).chain(read -> after(held, rows)));
    }

    private Uni<Picture> after(Picture held, RowSet<Row> rows) {
        Row first = rows.iterator().next();
        if (!isContinued(held, first)) {
            return readEverything(held.registry());
        }
        Map<Collection, Map<UUID, RegistryRecord>> changes = new EnumMap<>(Collection.class);
        UUID[] unread = addChangesAndHear(rows, true, changes, held.registry());
        // Rows, not records: what changed before and after the picture is told twice.
        if (StreamSupport.stream(rows.spliterator(), false).filter(row -> row.getString("collection") != null).count() > PAGE) {
            return catchUpByPage(held);
        }
        Uni<?> heard = first.getBoolean("heartbeats_complete")
                ? Uni.createFrom().voidItem()
                : timely(pool.preparedQuery(LAST_HEARTBEATS).execute()).invoke(all -> hear(all, held.registry()));
        Uni<?> records = unread.length == 0
                ? Uni.createFrom().voidItem()
                : timely(pool.preparedQuery(SOME).execute(Tuple.of(unread)))
                        .chain(read -> where(read).invoke(there -> addRecords(read, changes)));
        return heard.chain(() -> records).map(read -> picture(held.registry().after(changes, asOf(first)), first));
    }

    /** Where so many records are read. */
    private Uni<Void> where(RowSet<Row> records) {
        return Uni.createFrom().voidItem().emitOn(records.size() > QUICK_MAX ? aside : Runnable::run);
    }

    /** The same, in one transaction: for more changes than one page. */
    private Uni<Picture> catchUpByPage(Picture held) {
        return reading(connection -> timely(connection.preparedQuery(START_FROM).execute(Tuple.of(held.snapshot())))
                .map(rows -> rows.iterator().next())
                .chain(start -> {
                    if (!isContinued(held, start)) {
                        return Uni.createFrom().nullItem();
                    }
                    var reading = new Reading(held.registry(), asOf(start));
                    return pages(
                            connection, CHANGES_SINCE, Tuple.of(held.snapshot()),
                            rows -> {
                                Map<Collection, Map<UUID, RegistryRecord>> changes = new EnumMap<>(Collection.class);
                                UUID[] uuids = addChangesAndHear(rows, false, changes, reading.registry);
                                return timely(connection.preparedQuery(SOME).execute(Tuple.of(uuids)))
                                        .emitOn(aside)
                                        .invoke(read -> addRecords(read, changes))
                                        .invoke(read -> reading.add(changes));
                            })
                            .chain(() -> pages(connection, LAST_HEARTBEATS, Tuple.tuple(), rows -> {
                                hear(rows, reading.registry);
                                return Uni.createFrom().voidItem();
                            }))
                            .map(done -> picture(reading.registry, start));
                }))
                .chain(picture -> picture == null
                        ? readEverything(held.registry())
                        : Uni.createFrom().item(picture));
    }

    /** By page, in one transaction. */
    Uni<Picture> readEverything() {
        return readEverything(
                RegistrySnapshot.emptyUpTo(Runtime.getRuntime().maxMemory() / INSTANCES_HEAP_PART));
    }

    /**
     * The same. Heap never holds the registry twice: what reads as it was known stays the same object.
     *
     * @param known from whatever moment or server
     */
    Uni<Picture> readEverything(RegistrySnapshot known) {
        return timely(CHANGES.forgetForeign(pool))
                .chain(() -> timely(HEARTBEATS.forgetForeign(pool)))
                .chain(() -> reading(connection -> timely(connection.preparedQuery(START).execute())
                        .map(rows -> rows.iterator().next())
                        .chain(start -> {
                            var reading = new WholeReading(known, asOf(start));
                            return pages(
                                    connection, EVERYTHING, Tuple.tuple(),
                                    rows -> {
                                        Map<Collection, Map<UUID, RegistryRecord>> page = new EnumMap<>(Collection.class);
                                        addRecords(rows, page);
                                        reading.add(page);
                                        return Uni.createFrom().voidItem();
                                    })
                                    .map(done -> picture(reading.all(), start));
                        })));
    }

    /** Everything that there is, read so far, on top of what was known. */
    private static final class WholeReading {
        private final RegistrySnapshot known;
        private final Reading reading;
        private final Map<Collection, UuidTable<Boolean>> there = new EnumMap<>(Collection.class);

        WholeReading(RegistrySnapshot known, Instant asOf) {
            this.known = known;
            this.reading = new Reading(known.withRoomTried(), asOf);
        }

        void add(Map<Collection, Map<UUID, RegistryRecord>> page) {
            Map<Collection, Map<UUID, RegistryRecord>> changes = new EnumMap<>(Collection.class);
            page.forEach((collection, records) -> {
                Map<UUID, Boolean> read = HashMap.newHashMap(records.size());
                records.keySet().forEach(uuid -> read.put(uuid, true));
                there.put(collection, there.getOrDefault(collection, UuidTable.empty()).with(read));
                Map<UUID, RegistryRecord> differing = known.differing(collection, records);
                if (!differing.isEmpty()) {
                    changes.put(collection, differing);
                }
            });
            reading.add(changes);
        }

        /** Without what was known and is gone. */
        RegistrySnapshot all() {
            Map<Collection, Map<UUID, RegistryRecord>> gone = new EnumMap<>(Collection.class);
            for (Collection collection : Collection.values()) {
                UuidTable<Boolean> read = there.getOrDefault(collection, UuidTable.empty());
                known.forEach(collection, uuid -> {
                    if (read.find(uuid) == null) {
                        gone.computeIfAbsent(collection, made -> new HashMap<>()).put(uuid, null);
                    }
                });
            }
            reading.add(gone);
            return reading.registry;
        }
    }

    /** What is read so far. */
    private static final class Reading {
        private RegistrySnapshot registry;
        private final Instant asOf;

        Reading(RegistrySnapshot registry, Instant asOf) {
            this.registry = registry.after(Map.of(), asOf);
            this.asOf = asOf;
        }

        void add(Map<Collection, Map<UUID, RegistryRecord>> page) {
            registry = registry.after(page, asOf);
        }
    }

    /** Removes changes that are older than that and seen by everybody. */
    Uni<Long> prune(Duration kept) {
        Duration heartbeatsKept = kept.compareTo(HEARTBEATS_KEPT) < 0 ? kept : HEARTBEATS_KEPT;
        return CHANGES.prune(pool, kept)
                .chain(changes -> HEARTBEATS.prune(pool, heartbeatsKept).map(heartbeats -> changes + heartbeats));
    }

    private static <T> Uni<T> timely(Uni<T> statement) {
        return statement.ifNoItem().after(STATEMENT_MAX).fail();
    }

    private <T> Uni<T> reading(Function<SqlConnection, Uni<T>> work) {
        return OneSnapshot.reading(pool, work);
    }

    /** @param work with each page of the rows, off the event loops */
    private Uni<Void> pages(SqlConnection connection, String sql, Tuple params, Function<RowSet<Row>, Uni<?>> work) {
        return timely(connection.prepare(sql)).chain(statement -> {
            Cursor cursor = statement.cursor(params);
            return Uni.createFrom().deferred(() -> timely(cursor.read(PAGE)))
                    .emitOn(aside)
                    .chain(work)
                    .replaceWith(cursor::hasMore)
                    .repeat().whilst(more -> more)
                    .collect().last()
                    .chain(() -> timely(statement.close()));
        });
    }

    private static boolean isContinued(Picture held, Row row) {
        return Origin.of(row).equals(held.origin()) && row.getBoolean("complete");
    }

    private static Instant asOf(Row start) {
        return start.getOffsetDateTime("as_of").toInstant();
    }

    private static Picture picture(RegistrySnapshot registry, Row start) {
        return new Picture(registry, start.getString("snapshot"), Origin.of(start));
    }

    /**
     * Uuids of changed records that are to be read yet: each as a deletion at first.
     *
     * @param withInstances whether rows of instances have their record
     */
    private UUID[] addChangesAndHear(
            RowSet<Row> rows,
            boolean withInstances,
            Map<Collection, Map<UUID, RegistryRecord>> changes,
            RegistrySnapshot registry) {
        List<UUID> unread = new ArrayList<>();
        for (Row row : rows) {
            UUID uuid = row.getUUID("uuid");
            if (row.getString("collection") != null) {
                Collection collection = Collection.ofRoute(row.getString("collection"));
                boolean isThere = withInstances && collection == Collection.INSTANCES;
                changes.computeIfAbsent(collection, made -> new HashMap<>())
                        .put(uuid, isThere && row.getString("body") != null ? read(collection, uuid, row) : null);
                if (!isThere) {
                    unread.add(uuid);
                }
            } else if (uuid != null) {
                hear(row, registry);
            }
        }
        return unread.toArray(UUID[]::new);
    }

    private static void hear(RowSet<Row> rows, RegistrySnapshot registry) {
        rows.forEach(row -> hear(row, registry));
    }

    /** A service that is registered later than the registry says comes with its record. */
    private static void hear(Row row, RegistrySnapshot registry) {
        ComputeService service = registry.findService(row.getUUID("uuid"));
        if (service != null) {
            service.hear(row.getOffsetDateTime("last_heartbeat").toInstant());
        }
    }

    private void addRecords(RowSet<Row> rows, Map<Collection, Map<UUID, RegistryRecord>> into) {
        for (Row row : rows) {
            Collection collection = Collection.ofRoute(row.getString("collection"));
            UUID uuid = row.getUUID("uuid");
            RegistryRecord record = read(collection, uuid, row);
            if (record != null) {
                into.computeIfAbsent(collection, made -> new HashMap<>()).put(uuid, record);
            }
        }
    }

    /** Null, and a line in the log, for a body that another version of Berth wrote and this one cannot read. */
    private @Nullable RegistryRecord read(Collection collection, UUID uuid, Row row) {
        String body = row.getString("body");
        try {
            if (collection == Collection.INSTANCES) {
                return new RegisteredInstance(
                        uuid, row.getString("host"), row.getString("nodename"), instanceKinds.of(body));
            }
            RegistryRecord record = collection.readStored(uuid, parsed(body));
            if (record instanceof ComputeService service) {
                service.hear(row.getOffsetDateTime("last_heartbeat").toInstant());
            }
            return record;
        } catch (ApiFault unreadable) {
            LOG.errorf("record skipped collection=%s uuid=%s why=%s", collection, uuid, unreadable.getMessage());
            return null;
        }
    }

    private static StrictObject parsed(String body) {
        return new StrictObject(JsonBody.parse(body.getBytes(StandardCharsets.UTF_8)), "$");
    }

    /** What many instances have in common, read once for those that come together. Throws ApiFault as reading does. */
    private static final class InstanceKinds {
        private static final int KINDS_MAX = 1_000;
        private static final int TEXT_MAX = 4_096;

        private final KeptByUse<String, RunningInstance> kept = new KeptByUse<>(KINDS_MAX);

        RunningInstance of(String body) {
            RunningInstance known = kept.find(body);
            if (known != null) {
                return known;
            }
            RunningInstance read = RegisteredInstance.running(parsed(body));
            if (body.length() <= TEXT_MAX) {
                kept.keep(body, read);
            }
            return read;
        }
    }
}
