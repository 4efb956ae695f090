package io.berth.scheduler.host.registry.snapshot;

import io.berth.database.ChangeTable;
import io.berth.database.OneSnapshot;
import io.berth.database.Origin;
import io.berth.scheduler.config.InventoryOptions;
import io.berth.scheduler.config.service.ConfiguredOptions;
import io.berth.scheduler.host.RunningInstance;
import io.berth.scheduler.host.registry.ComputeNode;
import io.berth.scheduler.host.registry.ComputeService;
import io.berth.scheduler.host.registry.RecordCollection;
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
 * Reads the registry from PostgreSQL: changes since a snapshot, or everything. Up to {@value #PAGE_ROWS} changes are
 * found by one statement, which also returns the changed instances; further statements read the other changed records.
 * If there are more changes, or if everything is read, a cursor reads them in one transaction, page by page, on worker
 * threads.
 */
@Singleton
class RegistryFeedStore {
    private static final Logger LOG = Logger.getLogger(RegistryFeedStore.class);
    /**
     * Maximum changes that one statement or page reads. A complete read adds records to the snapshot whenever it has
     * read this many.
     */
    private static final int PAGE_ROWS = 2_000;
    /** Maximum records per statement. The bodies take at most 8 MB in all, because long bodies are read separately. */
    private static final int STATEMENT_RECORDS = 250;
    /** Maximum characters of a body that is read with many others; longer bodies are read separately. */
    private static final int TEXT_MAX = 32 * 1_024;
    /** Maximum characters of all long bodies that one statement reads; a longer body is read alone. */
    private static final int LONG_TEXTS_MAX = 4_000_000;
    /** Maximum rows that are processed on the caller's thread; more rows are processed on a worker thread. */
    private static final int CALLER_THREAD_ROWS_MAX = 32;
    /**
     * Instances may use 1/3 of the heap; further instances are omitted. 1.4 million instances use a third of a heap of
     * 224 MB.
     */
    private static final int INSTANCES_HEAP_DIVISOR = 3;

    /** Time limit of one statement, and of one page of a cursor. */
    private static final Duration STATEMENT_MAX = Duration.ofSeconds(10);
    /**
     * How long rows about heartbeats stay in the table {@code heartbeats}. A replica that has not read for longer reads
     * the last heartbeats of all services.
     */
    private static final Duration HEARTBEATS_KEPT = Duration.ofMinutes(1);

    // Arguments: the table, the columns of the changed object, and table and column of the last pruned transaction.
    private static final ChangeTable CHANGES =
            new ChangeTable("registry_changes", "collection, uuid", "registry_pruned", "xid");
    private static final ChangeTable HEARTBEATS =
            new ChangeTable("heartbeats", "services", "registry_pruned", "heartbeats_xid");

    private static final String TEXT = "body #>> '{}'";
    /**
     * The body of an instance, without the members that decisions do not use, and without host and node, which are
     * separate columns ({@link #INSTANCE_PLACE}).
     */
    private static final String INSTANCE_TEXT = """
            (body - '{host,nodename,project_id,user_id,name,project_name,user_name,flavor_name}'::text[]) #>> '{}'""";
    private static final String INSTANCE_PLACE = "host, body ->> 'nodename' AS nodename";

    /**
     * Maximum characters of a body that {@link #CATCH_UP} returns with an instance; longer bodies are read separately.
     */
    private static final int INSTANCE_TEXT_MAX = 4_096;

    /** Columns: the pg_snapshot of the statement, the time of the database, and the database's {@link Origin}. */
    private static final String HEAD = """
            pg_current_snapshot()::text AS snapshot,
                   now() AS as_of,
            """ + Origin.COLUMNS;

    /**
     * Params: 1 text of the pg_snapshot that the caller has, 2 maximum changes, besides heartbeats.
     *
     * <p>Returns a row per change, or one row with a null uuid if nothing changed. Each row has the columns of {@link
     * #HEAD}, and {@code complete} and {@code heartbeats_complete} (whether the tables still have all changes since the
     * caller's snapshot). A changed record has {@code collection} and {@code uuid}; a service that sent a heartbeat has
     * {@code uuid} and {@code last_heartbeat}, and no collection. A changed instance, by far the most frequent change,
     * also has the instance's columns ({@code body}, null if longer than {@link #INSTANCE_TEXT_MAX}; {@code size},
     * {@code host}, {@code nodename}); a null size means that the instance was deleted. OFFSET 0 makes PostgreSQL look
     * up each instance by its key.
     */
    static final String CATCH_UP = "SELECT\n" + HEAD + ",\n" + CHANGES.hasAllChangesSinceSql() + """
                   AS complete,
            """ + HEARTBEATS.hasAllChangesSinceSql() + """
                   AS heartbeats_complete,
                   changed.collection,
                   changed.uuid,
                   changed.last_heartbeat,
                   instance.*
              FROM registry_pruned w
              LEFT JOIN (
                   (SELECT collection, uuid, NULL::timestamptz AS last_heartbeat FROM (
            """ + CHANGES.changesSinceSql() + """
                    ) AS records LIMIT $2)
                    UNION ALL
                    SELECT NULL, uuid, last_heartbeat FROM services
                     WHERE uuid = ANY(ARRAY(SELECT unnest(services) FROM (
            """ + HEARTBEATS.changesSinceSql() + """
                   ) AS beats))) AS changed ON true
              LEFT JOIN LATERAL (SELECT
            """ + textUpTo(INSTANCE_TEXT_MAX) + ", " + INSTANCE_PLACE + " FROM "
            + withText("instances", INSTANCE_TEXT) + """

                    WHERE changed.collection = 'instances' AND instances.uuid = changed.uuid OFFSET 0) AS instance
                        ON true
            """;

    /** No params. Returns one row with the columns of {@link #HEAD}. */
    static final String START = "SELECT\n" + HEAD + "\n  FROM registry_pruned w";

    /**
     * Params: 1 text of a pg_snapshot. Returns one row with the columns of {@link #HEAD}, and {@code complete} (whether
     * the table still has all changes since that snapshot).
     */
    private static final String START_FROM = "SELECT\n" + HEAD + ",\n" + CHANGES.hasAllChangesSinceSql()
            + " AS complete\n  FROM registry_pruned w";

    /** Params: 1 text of a pg_snapshot. Returns {@code collection} and {@code uuid} of the records changed since. */
    private static final String CHANGES_SINCE = CHANGES.changesSinceSql();

    /** No params. Returns {@code uuid} and {@code last_heartbeat} of all services. */
    private static final String LAST_HEARTBEATS = "SELECT uuid, last_heartbeat FROM services";

    /**
     * No params. Returns all records of all collections, with the columns {@code collection}, {@code uuid},
     * {@code body} (null if it is too long), {@code size} (characters of the body), {@code host} and {@code nodename}
     * (of instances), {@code last_heartbeat} (of services).
     */
    static final String EVERYTHING = records(TEXT_MAX, "");

    /**
     * Params: 1 uuids of records in any collection. Returns the columns of {@link #EVERYTHING}. A record without a row
     * was deleted.
     */
    static final String SOME = records(TEXT_MAX, " WHERE uuid = ANY($1)");

    /** Like {@link #SOME}, with bodies of any length. */
    static final String SOME_LONG = records(Integer.MAX_VALUE, " WHERE uuid = ANY($1)");

    private static String records(int textMax, String condition) {
        return Arrays.stream(RecordCollection.values())
                .map(collection -> recordsOf(collection, textMax) + condition)
                .collect(Collectors.joining(" UNION ALL "));
    }

    /** Returns the columns {@code body} and {@code size} for a row of {@link #withText}; a longer body is null. */
    private static String textUpTo(int max) {
        return "CASE WHEN length(whole.text) <= " + max + " THEN whole.text END AS body, length(whole.text) AS size";
    }

    /** Returns a FROM item that adds the text to each row; OFFSET 0 makes PostgreSQL compute it once per row. */
    private static String withText(String table, String text) {
        return table + ", LATERAL (SELECT " + text + " AS text OFFSET 0) AS whole";
    }

    /**
     * Returns the SELECT of a collection with the columns of {@link #EVERYTHING}; columns that the collection does not
     * have are null. Host and node of an instance are not in its body, so that many instances have equal bodies, which
     * are parsed once.
     */
    private static String recordsOf(RecordCollection collection, int textMax) {
        String columns = switch (collection) {
            case SERVICES -> "NULL AS host, NULL AS nodename, last_heartbeat";
            case INSTANCES -> INSTANCE_PLACE + ", NULL::timestamptz AS last_heartbeat";
            case CELLS, COMPUTE_NODES, HOST_AGGREGATES, SERVER_GROUPS ->
                "NULL AS host, NULL AS nodename, NULL::timestamptz AS last_heartbeat";
        };
        String table = collection == RecordCollection.SERVER_GROUPS ? "server_groups_in_use" : collection.route();
        return "SELECT '%s' AS collection, uuid, %s, %s FROM %s".formatted(
                collection.route(), textUpTo(textMax), columns,
                withText(table, collection == RecordCollection.INSTANCES ? INSTANCE_TEXT : TEXT));
    }

    private final Pool pool;
    private final InventoryOptions options;
    private final InstanceKinds instanceKinds = new InstanceKinds();
    /** The worker pool that processes pages. */
    private final Executor workers = Infrastructure.getDefaultExecutor();

    RegistryFeedStore(@ReactiveDataSource("decisions") Pool pool, ConfiguredOptions configured) {
        this.pool = pool;
        options = configured.options().defaults().inventory();
    }

    /**
     * A registry, and the PostgreSQL snapshot from which later changes are read.
     *
     * @param snapshot text of the pg_snapshot that the registry corresponds to
     * @param origin the PostgreSQL server from which the registry was read
     */
    record ReadRegistry(RegistrySnapshot registry, String snapshot, Origin origin) {
        /** Returns a copy with the registry that {@link RegistrySnapshot#afterOutage} returns. */
        ReadRegistry afterOutage(Duration length) {
            return new ReadRegistry(registry.afterOutage(length), snapshot, origin);
        }
    }

    /**
     * Returns the registry with all changes since it was read; reads everything if changes were pruned, or if the
     * database is on another server now.
     */
    Uni<ReadRegistry> catchUp(ReadRegistry known) {
        return withTimeLimit(pool.preparedQuery(CATCH_UP).execute(Tuple.of(known.snapshot(), PAGE_ROWS + 1)))
                .chain(rows -> onSuitableThread(rows).chain(ignored -> applyChanges(known, rows)));
    }

    private Uni<ReadRegistry> applyChanges(ReadRegistry known, RowSet<Row> rows) {
        Row first = rows.iterator().next();
        if (!canCatchUp(known, first)) {
            return readEverything(known.registry());
        }
        Map<RecordCollection, Map<UUID, RegistryRecord>> changes = new EnumMap<>(RecordCollection.class);
        UUID[] unread = addChangesAndHeartbeats(rows, true, changes, known.registry());
        // Counts rows instead of records, because the statement's limit is on rows, and a record may have several rows.
        if (StreamSupport.stream(rows.spliterator(), false).filter(row -> row.getString("collection") != null)
                .count() > PAGE_ROWS) {
            return catchUpByPage(known);
        }
        Uni<?> heartbeats = first.getBoolean("heartbeats_complete")
                ? Uni.createFrom().voidItem()
                : withTimeLimit(pool.preparedQuery(LAST_HEARTBEATS).execute())
                        .invoke(all -> applyHeartbeats(all, known.registry()));
        Uni<?> records = unread.length == 0
                ? Uni.createFrom().voidItem()
                : addRecords(pool, unread, changes);
        return heartbeats.chain(() -> records)
                .map(read -> readRegistry(known.registry().after(changes, asOf(first)), first));
    }

    /** Completes on the caller's thread for a few rows, on a worker thread for many rows. */
    private Uni<Void> onSuitableThread(RowSet<Row> records) {
        return Uni.createFrom().voidItem().emitOn(records.size() > CALLER_THREAD_ROWS_MAX ? workers : Runnable::run);
    }

    /** Like {@link #catchUp}, with a cursor in one transaction, for more changes than one page. */
    private Uni<ReadRegistry> catchUpByPage(ReadRegistry known) {
        return inOneSnapshot(connection -> withTimeLimit(
                connection.preparedQuery(START_FROM).execute(Tuple.of(known.snapshot())))
                .map(rows -> rows.iterator().next())
                .chain(start -> {
                    if (!canCatchUp(known, start)) {
                        return Uni.createFrom().nullItem();
                    }
                    var reading = new Reading(known.registry(), asOf(start));
                    return pages(
                            connection, CHANGES_SINCE, Tuple.of(known.snapshot()),
                            rows -> {
                                Map<RecordCollection, Map<UUID, RegistryRecord>> changes =
                                        new EnumMap<>(RecordCollection.class);
                                UUID[] uuids = addChangesAndHeartbeats(rows, false, changes, reading.registry);
                                return addRecords(connection, uuids, changes)
                                        .emitOn(workers)
                                        .invoke(() -> reading.add(changes));
                            })
                            .chain(() -> pages(connection, LAST_HEARTBEATS, Tuple.tuple(), rows -> {
                                applyHeartbeats(rows, reading.registry);
                                return Uni.createFrom().voidItem();
                            }))
                            .map(done -> readRegistry(reading.registry, start));
                }))
                .chain(readRegistry -> readRegistry == null
                        ? readEverything(known.registry())
                        : Uni.createFrom().item(readRegistry));
    }

    /** Reads all records with a cursor, in one transaction. */
    Uni<ReadRegistry> readEverything() {
        return readEverything(
                RegistrySnapshot.emptyUpTo(Runtime.getRuntime().maxMemory() / INSTANCES_HEAP_DIVISOR));
    }

    /**
     * Like {@link #readEverything()}, with less memory: records that are equal to those in {@code known} stay the same
     * objects, so that the heap never has two copies of the registry.
     *
     * @param known a registry that was read at any time, from any server
     */
    Uni<ReadRegistry> readEverything(RegistrySnapshot known) {
        // Changes that another server recorded, as before a restore, would make each later catchUp read too much.
        return withTimeLimit(CHANGES.removeForeignChanges(pool))
                .chain(() -> withTimeLimit(HEARTBEATS.removeForeignChanges(pool)))
                .chain(() -> inOneSnapshot(connection -> withTimeLimit(connection.preparedQuery(START).execute())
                        .map(rows -> rows.iterator().next())
                        .chain(start -> {
                            var reading = new WholeReading(known, asOf(start));
                            return pages(
                                    connection, EVERYTHING, Tuple.tuple(), STATEMENT_RECORDS,
                                    rows -> addRecords(connection, rows, reading.page)
                                            .emitOn(workers)
                                            .invoke(reading::addPageIfFull))
                                    .emitOn(workers)
                                    .map(done -> readRegistry(reading.all(), start));
                        })));
    }

    /**
     * A complete read in progress. Begins with the known registry, replaces records page by page, and at the end
     * removes the records that were not read.
     */
    private static final class WholeReading {
        private final RegistrySnapshot known;
        private final Reading reading;
        /** The uuids of all records that were read. */
        private final Map<RecordCollection, UuidTable<Boolean>> readUuids = new EnumMap<>(RecordCollection.class);
        /** Records that were read and are not yet in the registry. */
        private final Map<RecordCollection, Map<UUID, RegistryRecord>> page = new EnumMap<>(RecordCollection.class);

        WholeReading(RegistrySnapshot known, Instant asOf) {
            this.known = known;
            this.reading = new Reading(known.withoutFullMark(), asOf);
        }

        /** Adds the page to the registry if it has at least {@value RegistryFeedStore#PAGE_ROWS} records. */
        void addPageIfFull() {
            if (page.values().stream().mapToInt(Map::size).sum() >= PAGE_ROWS) {
                addPage();
            }
        }

        private void addPage() {
            Map<RecordCollection, Map<UUID, RegistryRecord>> changes = new EnumMap<>(RecordCollection.class);
            page.forEach((collection, records) -> {
                Map<UUID, Boolean> read = HashMap.newHashMap(records.size());
                records.keySet().forEach(uuid -> read.put(uuid, true));
                readUuids.put(collection, readUuids.getOrDefault(collection, UuidTable.empty()).with(read));
                Map<UUID, RegistryRecord> differing = known.differing(collection, records);
                if (!differing.isEmpty()) {
                    changes.put(collection, differing);
                }
            });
            reading.add(changes);
            page.clear();
        }

        /** Ends the read, and returns the registry without the records that no longer exist. */
        RegistrySnapshot all() {
            addPage();
            Map<RecordCollection, Map<UUID, RegistryRecord>> gone = new EnumMap<>(RecordCollection.class);
            for (RecordCollection collection : RecordCollection.values()) {
                UuidTable<Boolean> read = readUuids.getOrDefault(collection, UuidTable.empty());
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

    /** The registry with the pages that were read so far. */
    private static final class Reading {
        private RegistrySnapshot registry;
        private final Instant asOf;

        Reading(RegistrySnapshot registry, Instant asOf) {
            this.registry = registry.after(Map.of(), asOf);
            this.asOf = asOf;
        }

        void add(Map<RecordCollection, Map<UUID, RegistryRecord>> page) {
            registry = registry.after(page, asOf);
        }
    }

    /**
     * Deletes rows of changes that are older than {@code kept}, and rows of heartbeats that are older than that or than
     * {@link #HEARTBEATS_KEPT}, whichever is shorter. Returns the number of deleted rows.
     */
    Uni<Long> prune(Duration kept) {
        Duration heartbeatsKept = kept.compareTo(HEARTBEATS_KEPT) < 0 ? kept : HEARTBEATS_KEPT;
        return CHANGES.prune(pool, kept)
                .chain(changes -> HEARTBEATS.prune(pool, heartbeatsKept).map(heartbeats -> changes + heartbeats));
    }

    /** Fails with TimeoutException after {@link #STATEMENT_MAX}. */
    private static <T> Uni<T> withTimeLimit(Uni<T> statement) {
        return statement.ifNoItem().after(STATEMENT_MAX).fail();
    }

    /** Runs statements in one transaction that sees one snapshot of the database. */
    private <T> Uni<T> inOneSnapshot(Function<SqlConnection, Uni<T>> work) {
        return OneSnapshot.read(pool, work);
    }

    /**
     * Reads a query's rows with a cursor.
     *
     * @param work processes a page of rows on a worker thread; the next page is read after it completes
     */
    private Uni<Void> pages(SqlConnection connection, String sql, Tuple params, Function<RowSet<Row>, Uni<?>> work) {
        return pages(connection, sql, params, PAGE_ROWS, work);
    }

    private Uni<Void> pages(
            SqlConnection connection, String sql, Tuple params, int rows, Function<RowSet<Row>, Uni<?>> work) {
        return withTimeLimit(connection.prepare(sql)).chain(statement -> {
            Cursor cursor = statement.cursor(params);
            return Uni.createFrom().deferred(() -> withTimeLimit(cursor.read(rows)))
                    .emitOn(workers)
                    .chain(work)
                    .replaceWith(cursor::hasMore)
                    .repeat().whilst(more -> more)
                    .collect().last()
                    .chain(() -> withTimeLimit(statement.close()));
        });
    }

    /** Returns whether the registry can be updated by changes: same server, and no later change was pruned. */
    private static boolean canCatchUp(ReadRegistry known, Row row) {
        return Origin.of(row).equals(known.origin()) && row.getBoolean("complete");
    }

    private static Instant asOf(Row start) {
        return start.getOffsetDateTime("as_of").toInstant();
    }

    private static ReadRegistry readRegistry(RegistrySnapshot registry, Row start) {
        return new ReadRegistry(registry, start.getString("snapshot"), Origin.of(start));
    }

    /**
     * Adds changed records to {@code changes} and applies heartbeats to {@code registry}. Returns the uuids of changed
     * records that must still be read. For each of them {@code changes} has a deletion (null), which remains if the
     * record does not exist any more.
     *
     * @param withInstances whether rows of instances have the instance's columns
     */
    private UUID[] addChangesAndHeartbeats(
            RowSet<Row> rows,
            boolean withInstances,
            Map<RecordCollection, Map<UUID, RegistryRecord>> changes,
            RegistrySnapshot registry) {
        List<UUID> unread = new ArrayList<>();
        for (Row row : rows) {
            UUID uuid = row.getUUID("uuid");
            if (row.getString("collection") != null) {
                RecordCollection collection = RecordCollection.ofRoute(row.getString("collection"));
                boolean isInstance = withInstances && collection == RecordCollection.INSTANCES;
                boolean hasText = isInstance && row.getString("body") != null;
                changes.computeIfAbsent(collection, _ -> new HashMap<>())
                        .put(uuid, hasText ? read(collection, uuid, row) : null);
                if (!isInstance || !hasText && row.getInteger("size") != null) {
                    unread.add(uuid);
                }
            } else if (uuid != null) {
                applyHeartbeat(row, registry);
            }
        }
        return unread.toArray(UUID[]::new);
    }

    private static void applyHeartbeats(RowSet<Row> rows, RegistrySnapshot registry) {
        rows.forEach(row -> applyHeartbeat(row, registry));
    }

    /** Applies a heartbeat. A service that is not in the registry yet gets the heartbeat when its record is read. */
    private static void applyHeartbeat(Row row, RegistrySnapshot registry) {
        ComputeService service = registry.findService(row.getUUID("uuid"));
        if (service != null) {
            service.setLastHeartbeat(row.getOffsetDateTime("last_heartbeat").toInstant());
        }
    }

    /**
     * A record with a long body, which is read separately.
     *
     * @param size characters of the body
     */
    private record LongRecord(UUID uuid, int size) {}

    /** Reads records by uuid, and adds those that exist to {@code into}. */
    private Uni<Void> addRecords(
            SqlClient client, UUID[] uuids, Map<RecordCollection, Map<UUID, RegistryRecord>> into) {
        return Multi.createFrom().items(uuids).group().intoLists().of(STATEMENT_RECORDS)
                .onItem().transformToUniAndConcatenate(
                        some -> withTimeLimit(client.preparedQuery(SOME).execute(Tuple.of(some.toArray(UUID[]::new))))
                                .chain(read -> onSuitableThread(read).chain(() -> addRecords(client, read, into))))
                .onItem().ignoreAsUni();
    }

    /** Adds the records of these rows to {@code into}; reads long bodies, which the rows lack, separately. */
    private Uni<Void> addRecords(
            SqlClient client, RowSet<Row> rows, Map<RecordCollection, Map<UUID, RegistryRecord>> into) {
        return Multi.createFrom().iterable(groupBySize(addRecordsWithBody(rows, into)))
                .onItem().transformToUniAndConcatenate(
                        some -> withTimeLimit(
                                client.preparedQuery(SOME_LONG).execute(Tuple.of(some.toArray(UUID[]::new))))
                                .emitOn(workers)
                                .invoke(read -> addRecordsWithBody(read, into)))
                .onItem().ignoreAsUni();
    }

    /** Divides records into groups, one per statement, of at most {@link #LONG_TEXTS_MAX} characters or one record. */
    private static List<List<UUID>> groupBySize(List<LongRecord> records) {
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

    /**
     * Adds records whose rows have a body, and returns the records with long bodies, which must be read separately.
     * Skips, and logs, a record that is too long for its collection or that this version of Berth cannot parse.
     */
    private List<LongRecord> addRecordsWithBody(RowSet<Row> rows,
            Map<RecordCollection, Map<UUID, RegistryRecord>> into) {
        List<LongRecord> unread = new ArrayList<>();
        for (Row row : rows) {
            RecordCollection collection = RecordCollection.ofRoute(row.getString("collection"));
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

    /** Parses a record; null, after an error is logged, for a body that this version of Berth cannot parse. */
    private @Nullable RegistryRecord read(RecordCollection collection, UUID uuid, Row row) {
        String body = row.getString("body");
        try {
            if (collection == RecordCollection.INSTANCES) {
                return new RegisteredInstance(
                        uuid, row.getString("host"), row.getString("nodename"), instanceKinds.of(body));
            }
            RegistryRecord record = collection.readStored(uuid, parse(body));
            if (record instanceof ComputeService service) {
                service.setLastHeartbeat(row.getOffsetDateTime("last_heartbeat").toInstant());
            }
            return record instanceof ComputeNode node ? node.withDefaultsFrom(options) : record;
        } catch (ApiFault unreadable) {
            LOG.errorf("record skipped collection=%s uuid=%s why=%s", collection, uuid, unreadable.getMessage());
            return null;
        }
    }

    private static StrictObject parse(String body) {
        return new StrictObject(JsonBody.parse(body.getBytes(StandardCharsets.UTF_8)), "$");
    }

    /** Parses bodies of instances, and caches the results by text, because many instances have equal bodies. */
    private static final class InstanceKinds {
        /** Maximum cached texts. */
        private static final int KINDS_MAX = 1_000;
        /** Maximum characters of a cached text. */
        private static final int CACHED_TEXT_MAX = 4_096;

        private final LruCache<String, RunningInstance> cache = new LruCache<>(KINDS_MAX);

        /** Throws ApiFault if the body is invalid. */
        RunningInstance of(String body) {
            RunningInstance cached = cache.find(body);
            if (cached != null) {
                return cached;
            }
            RunningInstance parsed = RegisteredInstance.running(parse(body));
            if (body.length() <= CACHED_TEXT_MAX) {
                cache.keep(body, parsed);
            }
            return parsed;
        }
    }
}
