package io.berth.scheduler.nova.database;

import io.berth.scheduler.config.InventoryOptions;
import io.berth.scheduler.host.Place;
import io.berth.scheduler.host.RunningInstance;
import io.berth.scheduler.host.registry.Collection;
import io.berth.scheduler.host.registry.ComputeNode;
import io.berth.scheduler.host.registry.ComputeService;
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
 * Reads compute nodes, services, instances and unfinished moves of one cell: either all of them, or those that changed
 * since the last reading according to {@code updated_at}, {@code created_at} and {@code deleted_at}. These times come
 * from the writers' clocks and are older than the commits, so a reading looks back by {@link #OVERLAP}; an unchanged
 * row that is read again keeps its record.
 */
record CellReading(Database database, UUID cell, InventoryOptions options, InstanceRoom room) {
    private static final Logger LOG = Logger.getLogger(CellReading.class);
    /** How far before its predecessor a reading of changes begins. */
    private static final Duration OVERLAP = Duration.ofSeconds(30);
    private static final int NODES_PER_PAGE = 500;
    private static final int PER_PAGE = 5_000;
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
     * The first one also finds deleted instances, because nova updates an instance before it deletes it.
     */
    private static final String CHANGED_INSTANCES = "SELECT * FROM (" + INSTANCE + "updated_at >= ? UNION "
            + INSTANCE + "deleted = 0 AND created_at >= ?) AS changed WHERE 1 = 1";

    /** Params: 1 uuid of an instance. At most one row. */
    private static final String WHERE_IT_IS =
            "SELECT host, vm_state, task_state FROM instances WHERE uuid = ? AND deleted = 0";

    /** Instances that are on a host and have no task. The list of placeholders, one per instance, is appended. */
    private static final String SETTLED = """
            SELECT uuid, host, node FROM instances
             WHERE deleted = 0 AND host IS NOT NULL AND task_state IS NULL AND coalesce(vm_state, '') <> 'building'
               AND uuid IN
            """;

    /**
     * The content of a cell.
     *
     * @param moves the moves whose hosts the registry contains
     * @param readAt when this reading began
     */
    record Read(RegistrySnapshot registry, UnfinishedMoves moves, Instant readAt) {}

    /**
     * Reads the whole cell.
     *
     * @param held the previous content, whose unchanged records are kept; null if nothing was read yet
     */
    Uni<Read> whole(@Nullable Read held) {
        Instant now = Instant.now();
        Changes changes = new Changes(held == null ? RegistrySnapshot.EMPTY : held.registry(), true, now);
        return changes.moves(UnfinishedMoves.whole(database))
                .chain(() -> Pages.read(database, NODES + "deleted = 0", NODES_PER_PAGE, changes::node))
                .chain(() -> Pages.read(database, SERVICES, PER_PAGE, changes::service))
                .chain(() -> Pages.read(database, INSTANCES, PER_PAGE, changes::instance))
                // The comparison with the previous content is too long for an event loop.
                .emitOn(Infrastructure.getDefaultExecutor())
                .map(read -> new Read(changes.all(), changes.moves, now));
    }

    /** Reads the changes since {@code held}. */
    Uni<Read> changes(Read held) {
        Instant now = Instant.now();
        Changes changes = new Changes(held.registry(), false, now);
        // The last reading is later than now if the clock was set back.
        Instant last = held.readAt().isBefore(now) ? held.readAt() : now;
        LocalDateTime since = utc(last.minus(OVERLAP));
        return changes.moves(held.moves().changes(database, since))
                .chain(() -> Pages.read(database, NODES + CHANGED, NODES_PER_PAGE, changes::node, since, since, since))
                .chain(() -> Pages.read(database, SERVICES, PER_PAGE, changes::service))
                .chain(() -> Pages.read(database, CHANGED_INSTANCES, PER_PAGE, changes::instance, since, since))
                .map(read -> new Read(changes.all(), changes.moves, now));
    }

    /** Returns whether the instance has arrived on the host, as far as this cell's database shows. */
    static Uni<BuildProgress> standing(Database database, UUID instance, String host) {
        return database.run(WHERE_IT_IS, instance.toString()).map(rows -> {
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
     * Returns the places of those instances that are on a host and have no task.
     * <br>Source: nova {@code compute/api.py}: an instance that moves has a task from before nova requests a host until
     * it is on the new host or again on the old one. For instances that are being built, see {@link #standing}.
     *
     * @param instances uuids, at least one
     */
    static Uni<Map<UUID, Place>> settled(Database database, Set<UUID> instances) {
        Object[] uuids = instances.stream().map(UUID::toString).toArray();
        return database.run(SETTLED + Database.placeholders(uuids.length), uuids).map(rows -> {
            Map<UUID, Place> places = new HashMap<>();
            rows.forEach(row -> places.put(uuid(row), new Place(row.getString("host"), row.getString("node"))));
            return places;
        });
    }

    private static LocalDateTime utc(Instant moment) {
        return LocalDateTime.ofInstant(moment, ZoneOffset.UTC);
    }

    /** Collects the differences between the rows and the previous content, without a copy of the previous content. */
    private final class Changes {
        private final RegistrySnapshot before;
        private final Instant now;
        /**
         * Uuids of the previous records that still have a row, for the collections of which every row is read: a record
         * without a row is removed.
         */
        private final Map<Collection, Set<UUID>> found = new EnumMap<>(Collection.class);
        /** Changed records that are not applied to {@link #registry} yet; null values for removed ones. */
        private Map<Collection, Map<UUID, RegistryRecord>> records = new EnumMap<>(Collection.class);
        /** The number of entries of {@link #records}. */
        private int count;
        private RegistrySnapshot registry;
        private UnfinishedMoves moves = UnfinishedMoves.NONE;
        /** The lowest version of compute services that are not forced down; 0 if none was read. */
        private int minComputeVersion;

        Changes(RegistrySnapshot before, boolean whole, Instant now) {
            this.before = before;
            this.now = now;
            Set<Collection> read = whole ? NovaRegistry.OF_CELLS : Set.of(Collection.SERVICES);
            read.forEach(collection -> found.put(collection, new HashSet<>()));
            registry = whole ? before.withRoomTried() : before;
        }

        /**
         * Reads the moves. Must end before instances are read; otherwise an instance whose move ends between the two
         * queries would count on the source only, although it is on the destination.
         */
        Uni<Void> moves(Uni<UnfinishedMoves> reading) {
            return reading.invoke(read -> moves = read).replaceWithVoid();
        }

        void node(Row row) {
            UUID uuid = uuid(row);
            if (uuid == null || row.getString("host") == null) {
                return;
            }
            ComputeNode held = before.findComputeNode(uuid);
            if (row.getLong("deleted") != 0) {
                put(Collection.COMPUTE_NODES, uuid, held, null);
                return;
            }
            try {
                ComputeNode read = NodeRow.read(row, uuid, cell, options);
                boolean same = held != null && held.state().facts().equals(read.state().facts());
                put(Collection.COMPUTE_NODES, uuid, held, same ? held : read);
            } catch (ApiFault unreadable) {
                LOG.warnf("compute node of nova cannot be read uuid=%s why=%s", uuid, unreadable.error().detail());
            }
        }

        void service(Row row) {
            UUID uuid = uuid(row);
            if (uuid == null) {
                return;
            }
            Integer version = row.getInteger("version");
            if (version != null && !isTrue(row, "forced_down")) {
                minComputeVersion = minComputeVersion == 0 ? version : Math.min(minComputeVersion, version);
            }
            ComputeService held = before.findService(uuid);
            LocalDateTime seen = row.getLocalDateTime(
                    row.getValue("last_seen_up") == null ? "created_at" : "last_seen_up");
            Instant heard = seen == null ? Instant.EPOCH : seen.toInstant(ZoneOffset.UTC);
            ComputeService read = new ComputeService(
                    uuid,
                    row.getString("host"),
                    isTrue(row, "disabled"),
                    row.getString("disabled_reason"),
                    isTrue(row, "forced_down"),
                    heard);
            if (held != null && held.isLike(read)) {
                held.hear(heard);
                put(Collection.SERVICES, uuid, held, held);
            } else {
                put(Collection.SERVICES, uuid, held, read);
            }
        }

        void instance(Row row) {
            UUID uuid = uuid(row);
            if (uuid == null) {
                return;
            }
            RegisteredInstance held = before.findInstance(uuid);
            boolean isThere = row.getLong("deleted") == 0 && row.getString("host") != null;
            RegisteredInstance read = !isThere ? null : new RegisteredInstance(
                    uuid,
                    row.getString("host"),
                    row.getString("node"),
                    new RunningInstance(row.getLong("instance_type_id"), null));
            put(Collection.INSTANCES, uuid, held, read != null && read.equals(held) ? held : read);
        }

        private void put(Collection collection, UUID uuid, @Nullable RegistryRecord held,
                @Nullable RegistryRecord read) {
            Set<UUID> seen = found.get(collection);
            if (held != null && seen != null) {
                seen.add(uuid);
            }
            if (read != held) {
                change(collection, uuid, read);
            }
        }

        private void change(Collection collection, UUID uuid, @Nullable RegistryRecord record) {
            records.computeIfAbsent(collection, key -> new HashMap<>()).put(uuid, record);
            count++;
            if (count >= CHANGES_BATCH) {
                apply();
            }
        }

        private void apply() {
            registry = room.fill(cell, bytesMax -> registry.withRoom(bytesMax).after(records, now));
            records = new EnumMap<>(Collection.class);
            count = 0;
        }

        /** Applies the remaining changes, removes the records whose rows no longer exist, and returns the registry. */
        RegistrySnapshot all() {
            found.forEach((collection, seen) -> before.forEach(collection, uuid -> {
                if (!seen.contains(uuid)) {
                    change(collection, uuid, null);
                }
            }));
            apply();
            return registry.withSource(new SourceFacts(moves.hosts(), minComputeVersion));
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
