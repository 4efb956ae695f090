package io.berth.scheduler.nova.database;

import io.berth.scheduler.config.InventoryOptions;
import io.berth.scheduler.host.Place;
import io.berth.scheduler.host.RunningInstance;
import io.berth.scheduler.host.registry.ComputeNode;
import io.berth.scheduler.host.registry.ComputeService;
import io.berth.scheduler.host.registry.RecordCollection;
import io.berth.scheduler.host.registry.RegisteredInstance;
import io.berth.scheduler.host.registry.RegistryRecord;
import io.berth.scheduler.host.registry.snapshot.RegistrySnapshot;
import io.berth.scheduler.host.registry.snapshot.SourceFacts;
import io.berth.scheduler.http.ApiFault;
import io.berth.scheduler.text.Uuids;
import io.smallrye.mutiny.Uni;
import io.smallrye.mutiny.infrastructure.Infrastructure;
import io.vertx.mutiny.sqlclient.Row;
import jakarta.annotation.Nullable;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import org.jboss.logging.Logger;

/**
 * Reads compute nodes, services, instances and unfinished moves of one cell: either all rows, or all services and, of
 * the other tables, the rows that are new or changed since the last reading. The times in a row show whether it
 * changed. The clocks of the writers set these times before the rows are committed, so a reading includes changes since
 * {@link #OVERLAP} before the last reading began. If a row is read again without a change, its record object stays the
 * same.
 *
 * @param options allocation ratios for nodes that have none of their own
 * @param room the limit of memory for instances
 */
record CellReading(Database database, UUID cell, InventoryOptions options, InstanceRoom room) {
    private static final Logger LOG = Logger.getLogger(CellReading.class);
    /** A reading of changes looks for rows that changed since this long before the last reading began. */
    private static final Duration OVERLAP = Duration.ofSeconds(30);
    /** The maximum number of compute nodes in one page, whose rows are large. */
    private static final int NODES_PAGE_ROWS = 500;
    /** The maximum number of other rows in one page. */
    private static final int PAGE_ROWS = 5_000;
    /** The number of changed records that are collected in memory before they are applied to the registry. */
    private static final int CHANGES_BATCH = 2_000;

    /** A condition for rows that changed since a time. Params: 1 to 3 the time, in UTC. */
    private static final String CHANGED = "(updated_at >= ? OR created_at >= ? OR deleted_at >= ?)";
    private static final String NODES = "SELECT " + NodeRow.COLUMNS + " FROM compute_nodes WHERE ";
    private static final String SERVICES = """
            SELECT id, uuid, host, disabled, disabled_reason, forced_down, last_seen_up, created_at, version
              FROM services s
             WHERE s.binary = 'nova-compute' AND deleted = 0 AND host IS NOT NULL AND uuid IS NOT NULL
            """;
    private static final String INSTANCE =
            "SELECT id, uuid, host, node, instance_type_id, deleted FROM instances WHERE ";
    private static final String INSTANCES = INSTANCE + "deleted = 0 AND host IS NOT NULL";
    /**
     * Instances that changed since a time. Params: 1 and 2 the time, in UTC. Each SELECT of the union can use an index.
     * The first SELECT also finds deleted instances, because nova updates an instance before it deletes it.
     * {@code WHERE 1 = 1} is there for {@link Pages}, which appends a condition with AND.
     */
    private static final String CHANGED_INSTANCES = "SELECT * FROM (" + INSTANCE + "updated_at >= ? UNION "
            + INSTANCE + "deleted = 0 AND created_at >= ?) AS changed WHERE 1 = 1";

    /** Params: 1 uuid of an instance. One row; zero rows if this cell does not have the instance. */
    private static final String FIND_HOST_AND_TASK =
            "SELECT host, vm_state, task_state FROM instances WHERE uuid = ? AND deleted = 0";

    /**
     * One row per instance that is on a host, has no task (nova does not work on the instance) and is not being built.
     * A list of placeholders, one per uuid, is appended.
     */
    private static final String FIND_WITHOUT_OPERATION = """
            SELECT uuid, host, node FROM instances
             WHERE deleted = 0 AND host IS NOT NULL AND task_state IS NULL AND coalesce(vm_state, '') <> 'building'
               AND uuid IN
            """;

    /**
     * The content of a cell.
     *
     * @param registry the nodes, services and instances, and the hosts of unfinished moves
     * @param moves the unfinished moves
     * @param readAt when this reading began, by this replica's clock
     */
    record CellContent(RegistrySnapshot registry, UnfinishedMoves moves, Instant readAt) {}

    /**
     * Reads the whole cell.
     *
     * @param previous the previous content, whose record objects are used again if they are unchanged; null if nothing
     * was read yet
     */
    Uni<CellContent> readWhole(@Nullable CellContent previous) {
        Instant now = Instant.now();
        Changes changes = new Changes(previous == null ? RegistrySnapshot.EMPTY : previous.registry(), true, now);
        return changes.moves(UnfinishedMoves.readAll(database))
                .chain(() -> Pages.read(database, NODES + "deleted = 0", NODES_PAGE_ROWS, changes::addNode))
                .chain(() -> Pages.read(database, SERVICES, PAGE_ROWS, changes::addService))
                .chain(() -> Pages.read(database, INSTANCES, PAGE_ROWS, changes::addInstance))
                // The comparison with the previous content is too long for an event loop.
                .emitOn(Infrastructure.getDefaultExecutor())
                .map(read -> new CellContent(changes.finish(), changes.moves, now));
    }

    /** Reads the changes since the previous content, and returns the content with these changes. */
    Uni<CellContent> readChanges(CellContent previous) {
        Instant now = Instant.now();
        Changes changes = new Changes(previous.registry(), false, now);
        // If the clock was set back, the last reading may be later than now.
        Instant last = previous.readAt().isBefore(now) ? previous.readAt() : now;
        LocalDateTime since = utc(last.minus(OVERLAP));
        return changes.moves(previous.moves().withChangesSince(database, since))
                .chain(() -> Pages.read(database, NODES + CHANGED, NODES_PAGE_ROWS, changes::addNode, since, since,
                        since))
                .chain(() -> Pages.read(database, SERVICES, PAGE_ROWS, changes::addService))
                .chain(() -> Pages.read(database, CHANGED_INSTANCES, PAGE_ROWS, changes::addInstance, since, since))
                .map(read -> new CellContent(changes.finish(), changes.moves, now));
    }

    /**
     * Returns how far nova has brought the instance to the host, as far as this cell's database shows; {@code
     * NOT_WAITING} if this cell does not have the instance.
     */
    static Uni<BuildProgress> findBuildProgress(Database database, UUID instance, String host) {
        return database.run(FIND_HOST_AND_TASK, instance.toString()).map(rows -> {
            if (rows.size() == 0) {
                return BuildProgress.NOT_WAITING;
            }
            Row row = rows.iterator().next();
            if (host.equals(row.getString("host"))) {
                return BuildProgress.ARRIVED;
            }
            // While an instance is being built, nova-compute clears the task before it sets the host.
            return row.getString("task_state") == null && !"building".equals(row.getString("vm_state"))
                    ? BuildProgress.NOT_WAITING
                    : BuildProgress.WAITING;
        });
    }

    /**
     * Returns the host and node of each given instance, without instances that are on no host, have a task or are being
     * built.
     * <br>Source: nova {@code compute/api.py}: an instance that moves has a task from before nova requests a host until
     * it is on the new host, or again on the old one. While an instance is being built, it may have no task, as in
     * {@link #findBuildProgress}.
     *
     * @param instances uuids, at least one
     */
    static Uni<Map<UUID, Place>> placesWithoutOperation(Database database, Set<UUID> instances) {
        Object[] uuids = instances.stream().map(UUID::toString).toArray();
        return database.run(FIND_WITHOUT_OPERATION + Database.placeholders(uuids.length), uuids).map(rows -> {
            Map<UUID, Place> places = new HashMap<>();
            rows.forEach(row -> places.put(uuid(row), new Place(row.getString("host"), row.getString("node"))));
            return places;
        });
    }

    private static LocalDateTime utc(Instant time) {
        return LocalDateTime.ofInstant(time, ZoneOffset.UTC);
    }

    /** Collects the differences between the rows and the previous content, without copying the previous content. */
    private final class Changes {
        private final RegistrySnapshot before;
        private final Instant now;
        /**
         * Uuids of the previous records that still have a row, by collection. Has only the collections of which this
         * reading reads every row. A previous record in such a collection is removed if it has no row any more.
         */
        private final Map<RecordCollection, Set<UUID>> stillPresent = new EnumMap<>(RecordCollection.class);
        /** Changed records that are not applied to {@link #registry} yet; null for a removed record. */
        private Map<RecordCollection, Map<UUID, RegistryRecord>> records = new EnumMap<>(RecordCollection.class);
        /** The number of entries of {@link #records}. */
        private int count;
        private RegistrySnapshot registry;
        private UnfinishedMoves moves = UnfinishedMoves.NONE;
        /** The lowest version of those compute services that state one and are not forced down; 0 if there are none. */
        private int minComputeVersion;

        Changes(RegistrySnapshot before, boolean whole, Instant now) {
            this.before = before;
            this.now = now;
            Set<RecordCollection> read = whole ? NovaRegistry.OF_CELLS : Set.of(RecordCollection.SERVICES);
            read.forEach(collection -> stillPresent.put(collection, new HashSet<>()));
            // A reading of the whole cell reads every instance, also those that were omitted for lack of memory and may
            // fit now.
            registry = whole ? before.withoutFullMark() : before;
        }

        /**
         * Reads the moves. Must end before instances are read. Otherwise, if a move ended between the two queries, its
         * instance would count only on the source, although it is on the destination.
         */
        Uni<Void> moves(Uni<UnfinishedMoves> unfinished) {
            return unfinished.invoke(read -> moves = read).replaceWithVoid();
        }

        void addNode(Row row) {
            UUID uuid = uuid(row);
            if (uuid == null || row.getString("host") == null) {
                return;
            }
            ComputeNode previous = before.findComputeNode(uuid);
            if (row.getLong("deleted") != 0) {
                put(RecordCollection.COMPUTE_NODES, uuid, previous, null);
                return;
            }
            try {
                ComputeNode read = NodeRow.read(row, uuid, cell, options);
                boolean isUnchanged = previous != null && previous.state().facts().equals(read.state().facts());
                put(RecordCollection.COMPUTE_NODES, uuid, previous, isUnchanged ? previous : read);
            } catch (ApiFault unreadable) {
                put(RecordCollection.COMPUTE_NODES, uuid, previous, previous);
                LOG.warnf("compute node of nova cannot be read, its previous record stays uuid=%s cause=%s",
                        uuid, unreadable.error().detail());
            }
        }

        void addService(Row row) {
            UUID uuid = uuid(row);
            if (uuid == null) {
                return;
            }
            Integer version = row.getInteger("version");
            if (version != null && !isTrue(row, "forced_down")) {
                minComputeVersion = minComputeVersion == 0 ? version : Math.min(minComputeVersion, version);
            }
            ComputeService previous = before.findService(uuid);
            LocalDateTime lastSeen = row.getLocalDateTime(
                    row.getValue("last_seen_up") == null ? "created_at" : "last_seen_up");
            Instant lastHeartbeat = lastSeen == null ? Instant.EPOCH : lastSeen.toInstant(ZoneOffset.UTC);
            ComputeService read = new ComputeService(
                    uuid,
                    row.getString("host"),
                    isTrue(row, "disabled"),
                    row.getString("disabled_reason"),
                    isTrue(row, "forced_down"),
                    lastHeartbeat);
            if (previous != null && previous.equalsExceptHeartbeat(read)) {
                previous.setLastHeartbeat(lastHeartbeat);
                put(RecordCollection.SERVICES, uuid, previous, previous);
            } else {
                put(RecordCollection.SERVICES, uuid, previous, read);
            }
        }

        void addInstance(Row row) {
            UUID uuid = uuid(row);
            if (uuid == null) {
                return;
            }
            RegisteredInstance previous = before.findInstance(uuid);
            boolean isOnHost = row.getLong("deleted") == 0 && row.getString("host") != null;
            RegisteredInstance read = !isOnHost ? null : new RegisteredInstance(
                    uuid,
                    row.getString("host"),
                    row.getString("node"),
                    new RunningInstance(row.getLong("instance_type_id"), null));
            put(RecordCollection.INSTANCES, uuid, previous, read != null && read.equals(previous) ? previous : read);
        }

        /**
         * Notes the record of a row as a change, unless it is the previous record.
         *
         * @param previous the previous record; null if there was none
         * @param read the record of the row, the same object as {@code previous} if it is unchanged; null: the record
         * is removed
         */
        private void put(RecordCollection collection, UUID uuid, @Nullable RegistryRecord previous,
                @Nullable RegistryRecord read) {
            Set<UUID> uuids = stillPresent.get(collection);
            if (previous != null && uuids != null) {
                uuids.add(uuid);
            }
            if (read != previous) {
                change(collection, uuid, read);
            }
        }

        private void change(RecordCollection collection, UUID uuid, @Nullable RegistryRecord record) {
            records.computeIfAbsent(collection, key -> new HashMap<>()).put(uuid, record);
            count++;
            if (count >= CHANGES_BATCH) {
                apply();
            }
        }

        private void apply() {
            registry = room.buildRegistry(cell,
                    bytesMax -> registry.withInstanceBytesMax(bytesMax).after(records, now));
            records = new EnumMap<>(RecordCollection.class);
            count = 0;
        }

        /** Applies the remaining changes, removes the records whose rows no longer exist, and returns the registry. */
        RegistrySnapshot finish() {
            stillPresent.forEach((collection, seen) -> before.forEach(collection, uuid -> {
                if (!seen.contains(uuid)) {
                    change(collection, uuid, null);
                }
            }));
            apply();
            return registry.withSource(new SourceFacts(moves.hostsByInstance(), minComputeVersion));
        }
    }

    private static @Nullable UUID uuid(Row row) {
        String text = row.getString("uuid");
        return text == null ? null : Uuids.find(text);
    }

    private static boolean isTrue(Row row, String column) {
        return row.getValue(column) != null && row.getBoolean(column);
    }
}
