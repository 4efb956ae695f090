package io.berth.scheduler.host.registry.snapshot;

import io.berth.database.ChangeTable;
import io.berth.database.OneSnapshot;
import io.berth.database.Origin;
import io.berth.scheduler.config.InventoryOptions;
import io.berth.scheduler.config.service.ConfiguredOptions;
import io.berth.scheduler.host.RunningInstance;
import io.berth.scheduler.host.registry.Collection;
import io.berth.scheduler.host.registry.ComputeNode;
import io.berth.scheduler.host.registry.ComputeService;
import io.berth.scheduler.host.registry.RegisteredInstance;
import io.berth.scheduler.host.registry.RegistryRecord;
import io.berth.scheduler.http.ApiFault;
import io.berth.scheduler.http.JsonBody;
import io.berth.scheduler.json.StrictObject;
import io.quarkus.reactive.datasource.ReactiveDataSource;
import io.smallrye.mutiny.Multi;
import io.smallrye.mutiny.Uni;
import io.smallrye.mutiny.infrastructure.Infrastructure;
import io.vertx.mutiny.sqlclient.Cursor;
import io.vertx.mutiny.sqlclient.Pool;
import io.vertx.mutiny.sqlclient.Row;
import io.vertx.mutiny.sqlclient.RowSet;
import io.vertx.mutiny.sqlclient.SqlClient;
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
 * Reads the registry's changes and the changed records. Reads few changes in one statement and many by page; pages are
 * not processed on an event loop.
 */
@Singleton
class RegistryFeedStore {
    private static final Logger LOG = Logger.getLogger(RegistryFeedStore.class);
    /** Maximum records that are added to the registry at once. */
    private static final int PAGE = 2_000;
    /** Maximum records per statement: 8 MB, if all have the longest bodies that are read together. */
    private static final int ROWS = 250;
    /**
     * Maximum characters of a body that is read with others. Longer ones are read separately, because a page once had
     * forty bodies of 4 MB.
     */
    private static final int TEXT_MAX = 32 * 1_024;
    /** Maximum characters of long bodies that are read together; a longer one is read alone. */
    private static final int LONG_TEXTS_MAX = 4_000_000;
    /** Maximum records that are processed on the caller's thread. */
    private static final int QUICK_MAX = 32;
    /** The divisor for the part of the heap that instances may take: 1.4 million of them take a third of 224 MB. */
    private static final int INSTANCES_HEAP_PART = 3;

    private static final Duration STATEMENT_MAX = Duration.ofSeconds(10);
    /**
     * How long heartbeats are kept; a replica that did not read for longer reads the last heartbeats of all services.
     */
    private static final Duration HEARTBEATS_KEPT = Duration.ofMinutes(1);

    private static final ChangeTable CHANGES =
            new ChangeTable("registry_changes", "collection, uuid", "registry_pruned", "xid");
    private static final ChangeTable HEARTBEATS =
            new ChangeTable("heartbeats", "services", "registry_pruned", "heartbeats_xid");

    private static final String TEXT = "body #>> '{}'";
    private static final String INSTANCE_TEXT = """
            (body - '{host,nodename,project_id,user_id,name,project_name,user_name,flavor_name}'::text[]) #>> '{}'""";
    private static final String INSTANCE_PLACE = "host, body ->> 'nodename' AS nodename";

    /** Nearly all instances fit in this size, and thousands of them are read together. */
    private static final int INSTANCE_TEXT_MAX = 4_096;

    private static final String HEAD = """
            pg_current_snapshot()::text AS snapshot,
                   now() AS as_of,
            """ + Origin.COLUMNS;

    /**
     * Params: 1 the pg_snapshot text of the current picture, 2 maximum of changes, to which heartbeats are added.
     * Returns at least one row; its uuid is null if nothing changed. Rows of services with heartbeats have no
     * collection. Instances, which make up nearly all changes, come with their record; without a size they were
     * deleted. OFFSET 0 forces a lookup of each by its key.
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
            """ + textUpTo(INSTANCE_TEXT_MAX) + ", " + INSTANCE_PLACE + " FROM " + withText("instances", INSTANCE_TEXT) + """

                    WHERE changed.collection = 'instances' AND instances.uuid = changed.uuid OFFSET 0) AS instance ON true
            """;

    /** No params. Returns one row: the snapshot, its time, and the server. */
    static final String START = "SELECT\n" + HEAD + "\n  FROM registry_pruned w";

    /** Params: 1 a snapshot (text). Returns one row: whether the changes since are still available. */
    private static final String START_FROM = "SELECT\n" + HEAD + ",\n" + CHANGES.isComplete()
            + " AS complete\n  FROM registry_pruned w";

    /** Params: 1 a snapshot (text). */
    private static final String CHANGES_SINCE = CHANGES.since();

    /** No params. */
    private static final String LAST_HEARTBEATS = "SELECT uuid, last_heartbeat FROM services";

    /** No params. Returns all records. */
    static final String EVERYTHING = records(TEXT_MAX, "");

    /** Params: 1 uuids of any collections. A uuid without a row in its collection was deleted. */
    static final String SOME = records(TEXT_MAX, " WHERE uuid = ANY($1)");

    /** Like {@link #SOME}, including long bodies. */
    static final String SOME_LONG = records(Integer.MAX_VALUE, " WHERE uuid = ANY($1)");

    private static String records(int textMax, String which) {
        return Arrays.stream(Collection.values())
                .map(collection -> recordsOf(collection, textMax) + which)
                .collect(Collectors.joining(" UNION ALL "));
    }

    /** Columns of a row of {@link #withText}; the text is null if it is longer. */
    private static String textUpTo(int max) {
        return "CASE WHEN length(whole.text) <= " + max + " THEN whole.text END AS body, length(whole.text) AS size";
    }

    /** OFFSET 0 makes PostgreSQL compute the text once per row. */
    private static String withText(String table, String text) {
        return table + ", LATERAL (SELECT " + text + " AS text OFFSET 0) AS whole";
    }

    /**
     * Returns the SELECT of a collection; columns that it does not need are null. Instances have their host and node in
     * separate columns, because these differ, while many instances share the rest of the body.
     */
    private static String recordsOf(Collection collection, int textMax) {
        String columns = switch (collection) {
            case SERVICES -> "NULL AS host, NULL AS nodename, last_heartbeat";
            case INSTANCES -> INSTANCE_PLACE + ", NULL::timestamptz AS last_heartbeat";
            case CELLS, COMPUTE_NODES, HOST_AGGREGATES, SERVER_GROUPS ->
                "NULL AS host, NULL AS nodename, NULL::timestamptz AS last_heartbeat";
        };
        String table = collection == Collection.SERVER_GROUPS ? "server_groups_in_use" : collection.route();
        return "SELECT '%s' AS collection, uuid, %s, %s FROM %s".formatted(
                collection.route(), textUpTo(textMax), columns,
                withText(table, collection == Collection.INSTANCES ? INSTANCE_TEXT : TEXT));
    }

    private final Pool pool;
    private final InventoryOptions options;
    private final InstanceKinds instanceKinds = new InstanceKinds();
    /** The executor for pages, which are read one at a time. */
    private final Executor aside = Infrastructure.getDefaultExecutor();

    RegistryFeedStore(@ReactiveDataSource("decisions") Pool pool, ConfiguredOptions configured) {
        this.pool = pool;
        options = configured.options().defaults().inventory();
    }

    /** A registry with the PostgreSQL snapshot it corresponds to, and the server it was read from. */
    record Picture(RegistrySnapshot registry, String snapshot, Origin origin) {
        Picture afterOutage(Duration length) {
            return new Picture(registry.afterOutage(length), snapshot, origin);
        }
    }

    /** Returns the picture with all changes since. */
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
        // Counts rows, not records: a record that changed both before and after the picture has two.
        if (StreamSupport.stream(rows.spliterator(), false).filter(row -> row.getString("collection") != null).count() > PAGE) {
            return catchUpByPage(held);
        }
        Uni<?> heard = first.getBoolean("heartbeats_complete")
                ? Uni.createFrom().voidItem()
                : timely(pool.preparedQuery(LAST_HEARTBEATS).execute()).invoke(all -> hear(all, held.registry()));
        Uni<?> records = unread.length == 0
                ? Uni.createFrom().voidItem()
                : addRecords(pool, unread, changes);
        return heard.chain(() -> records).map(read -> picture(held.registry().after(changes, asOf(first)), first));
    }

    /** Continues on a worker thread if there are many records. */
    private Uni<Void> where(RowSet<Row> records) {
        return Uni.createFrom().voidItem().emitOn(records.size() > QUICK_MAX ? aside : Runnable::run);
    }

    /** Brings the picture up to date in one transaction, for more changes than one page. */
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
                                return addRecords(connection, uuids, changes).emitOn(aside).invoke(() -> reading.add(changes));
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

    /** Reads everything by page, in one transaction. */
    Uni<Picture> readEverything() {
        return readEverything(
                RegistrySnapshot.emptyUpTo(Runtime.getRuntime().maxMemory() / INSTANCES_HEAP_PART));
    }

    /**
     * Reads everything, without holding the registry twice in memory: records that did not change stay the same
     * objects.
     *
     * @param known a registry of any time or server
     */
    Uni<Picture> readEverything(RegistrySnapshot known) {
        return timely(CHANGES.forgetForeign(pool))
                .chain(() -> timely(HEARTBEATS.forgetForeign(pool)))
                .chain(() -> reading(connection -> timely(connection.preparedQuery(START).execute())
                        .map(rows -> rows.iterator().next())
                        .chain(start -> {
                            var reading = new WholeReading(known, asOf(start));
                            return pages(
                                    connection, EVERYTHING, Tuple.tuple(), ROWS,
                                    rows -> addRecords(connection, rows, reading.page)
                                            .emitOn(aside)
                                            .invoke(reading::addFullPage))
                                    .emitOn(aside)
                                    .map(done -> picture(reading.all(), start));
                        })));
    }

    /** All records read so far, on top of a known registry. */
    private static final class WholeReading {
        private final RegistrySnapshot known;
        private final Reading reading;
        private final Map<Collection, UuidTable<Boolean>> there = new EnumMap<>(Collection.class);
        /** Records that were read and not added yet. */
        private final Map<Collection, Map<UUID, RegistryRecord>> page = new EnumMap<>(Collection.class);

        WholeReading(RegistrySnapshot known, Instant asOf) {
            this.known = known;
            this.reading = new Reading(known.withRoomTried(), asOf);
        }

        void addFullPage() {
            if (page.values().stream().mapToInt(Map::size).sum() >= PAGE) {
                addPage();
            }
        }

        private void addPage() {
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
            page.clear();
        }

        /** Returns the registry without the records that no longer exist. */
        RegistrySnapshot all() {
            addPage();
            Map<Collection, Map<UUID, RegistryRecord>> gone = new EnumMap<>(Collection.class);
            for (Collection collection : Collection.values()) {
                UuidTable<Boolean> read = there.getOrDefault(collection, UuidTable.empty());
                known.forEach(collection, uuid -> {
                    if (read.find(uuid) == null) {
                        gone.computeIfAbsent(collection, _ -> new HashMap<>()).put(uuid, null);
                    }
                });
            }
            reading.add(gone);
            return reading.registry;
        }
    }

    /** The registry as read so far. */
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

    /** Removes changes that are older than {@code kept}; returns how many. */
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

    /** @param work is called with each page of rows, off the event loops */
    private Uni<Void> pages(SqlConnection connection, String sql, Tuple params, Function<RowSet<Row>, Uni<?>> work) {
        return pages(connection, sql, params, PAGE, work);
    }

    private Uni<Void> pages(
            SqlConnection connection, String sql, Tuple params, int rows, Function<RowSet<Row>, Uni<?>> work) {
        return timely(connection.prepare(sql)).chain(statement -> {
            Cursor cursor = statement.cursor(params);
            return Uni.createFrom().deferred(() -> timely(cursor.read(rows)))
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
     * Adds changes and heartbeats. Returns the uuids of changed records that must still be read; each is entered as a
     * deletion first.
     *
     * @param withInstances whether rows of instances include their record
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
                boolean isInstance = withInstances && collection == Collection.INSTANCES;
                boolean isWithText = isInstance && row.getString("body") != null;
                changes.computeIfAbsent(collection, _ -> new HashMap<>())
                        .put(uuid, isWithText ? read(collection, uuid, row) : null);
                if (!isInstance || !isWithText && row.getInteger("size") != null) {
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

    /** Ignores a service that is not in the registry yet, because its record comes with its heartbeat. */
    private static void hear(Row row, RegistrySnapshot registry) {
        ComputeService service = registry.findService(row.getUUID("uuid"));
        if (service != null) {
            service.hear(row.getOffsetDateTime("last_heartbeat").toInstant());
        }
    }

    /** A record with a long body, which is read separately. */
    private record LongRecord(UUID uuid, int size) {}

    /** Reads these records as far as they exist. */
    private Uni<Void> addRecords(SqlClient client, UUID[] uuids, Map<Collection, Map<UUID, RegistryRecord>> into) {
        return Multi.createFrom().items(uuids).group().intoLists().of(ROWS)
                .onItem().transformToUniAndConcatenate(
                        some -> timely(client.preparedQuery(SOME).execute(Tuple.of(some.toArray(UUID[]::new))))
                                .chain(read -> where(read).chain(() -> addRecords(client, read, into))))
                .onItem().ignoreAsUni();
    }

    private Uni<Void> addRecords(SqlClient client, RowSet<Row> rows, Map<Collection, Map<UUID, RegistryRecord>> into) {
        return Multi.createFrom().iterable(together(addShort(rows, into)))
                .onItem().transformToUniAndConcatenate(
                        some -> timely(client.preparedQuery(SOME_LONG).execute(Tuple.of(some.toArray(UUID[]::new))))
                                .emitOn(aside)
                                .invoke(read -> addShort(read, into)))
                .onItem().ignoreAsUni();
    }

    /** Groups records that are read together: up to {@link #LONG_TEXTS_MAX} characters, at least one record. */
    private static List<List<UUID>> together(List<LongRecord> records) {
        List<List<UUID>> parts = new ArrayList<>();
        long characters = 0;
        for (LongRecord record : records) {
            characters += record.size();
            if (parts.isEmpty() || characters > LONG_TEXTS_MAX) {
                parts.add(new ArrayList<>());
                characters = record.size();
            }
            parts.getLast().add(record.uuid());
        }
        return parts;
    }

    /** Adds records with short bodies, and returns the others, which must be read separately. */
    private List<LongRecord> addShort(RowSet<Row> rows, Map<Collection, Map<UUID, RegistryRecord>> into) {
        List<LongRecord> unread = new ArrayList<>();
        for (Row row : rows) {
            Collection collection = Collection.ofRoute(row.getString("collection"));
            UUID uuid = row.getUUID("uuid");
            int size = row.getInteger("size");
            if (collection.isTooLong(size)) {
                LOG.errorf("record skipped collection=%s uuid=%s why=it has %d characters", collection, uuid, size);
            } else if (row.getString("body") == null) {
                unread.add(new LongRecord(uuid, size));
            } else {
                RegistryRecord record = read(collection, uuid, row);
                if (record != null) {
                    into.computeIfAbsent(collection, _ -> new HashMap<>()).put(uuid, record);
                }
            }
        }
        return unread;
    }

    /** Returns null, and logs an error, for a body that another version of Berth wrote and this one cannot read. */
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
            return record instanceof ComputeNode node ? node.under(options) : record;
        } catch (ApiFault unreadable) {
            LOG.errorf("record skipped collection=%s uuid=%s why=%s", collection, uuid, unreadable.getMessage());
            return null;
        }
    }

    private static StrictObject parsed(String body) {
        return new StrictObject(JsonBody.parse(body.getBytes(StandardCharsets.UTF_8)), "$");
    }

    /** Parses data that many instances share once per cached text. Throws ApiFault for an unreadable body. */
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
