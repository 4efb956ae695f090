package io.berth.scheduler.nova.database;

import io.berth.scheduler.host.HostAggregate;
import io.berth.scheduler.host.registry.Cell;
import io.berth.scheduler.host.registry.RecordCollection;
import io.berth.scheduler.host.registry.RegisteredAggregate;
import io.berth.scheduler.host.registry.RegistryRecord;
import io.berth.scheduler.host.registry.snapshot.RegistrySnapshot;
import io.berth.scheduler.text.Uuids;
import io.smallrye.mutiny.Uni;
import io.vertx.mutiny.sqlclient.Row;
import jakarta.annotation.Nullable;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.UUID;

/**
 * Reads nova's API database: all cells and host aggregates each time, because there are few, and the build request of
 * one instance.
 */
final class ApiReading {
    /** The maximum number of rows in one page. */
    private static final int PAGE_ROWS = 5_000;
    /** The uuid of cell0, which contains no hosts, only instances that could not be scheduled. */
    private static final UUID CELL0 = new UUID(0, 0);
    // The next four statements end in a condition of WHERE, because Pages appends AND id > ? to them.

    private static final String CELLS =
            "SELECT id, uuid, name, database_connection, disabled FROM cell_mappings WHERE 1 = 1";
    private static final String AGGREGATES = "SELECT id, uuid, name FROM aggregates WHERE uuid IS NOT NULL";
    private static final String HOSTS = "SELECT id, aggregate_id, host FROM aggregate_hosts WHERE 1 = 1";
    private static final String METADATA =
            "SELECT m.id, m.aggregate_id, m.key AS name, m.value AS text FROM aggregate_metadata m WHERE 1 = 1";

    /** Params: 1 uuid of an instance. One row: its build request. Zero rows: the instance has no build request. */
    private static final String FIND_BUILD_REQUEST = "SELECT id FROM build_requests WHERE instance_uuid = ?";

    private ApiReading() {}

    /**
     * A row of nova's {@code cell_mappings}. {@code toString} contains no password.
     *
     * @param connection URL of the cell's database, possibly a template such as {@code {scheme}://{hostname}/nova}
     */
    record Mapping(UUID uuid, String name, String connection, boolean disabled) {
        /**
         * Returns the key that identifies this cell's layer in
         * {@link io.berth.scheduler.host.registry.snapshot.RegistryLayers}. A disabled cell has another key, because
         * its layer has another position.
         */
        Object layerKey() {
            return disabled ? "disabled " + uuid : uuid;
        }

        @Override
        public String toString() {
            return name + " " + uuid;
        }
    }

    /**
     * The content of the API database.
     *
     * @param registry the cells and host aggregates
     * @param cells the mappings of all cells except cell0, in the order of their ids
     * @param cell0 the mapping of cell0; null if nova has none
     */
    record ApiContent(RegistrySnapshot registry, List<Mapping> cells, @Nullable Mapping cell0) {}

    /**
     * Reads all cells and host aggregates, without those that have no valid uuid.
     *
     * @param previous the previous result, whose record objects are used again if they are unchanged; null the first
     * time
     */
    static Uni<ApiContent> read(Database database, @Nullable ApiContent previous) {
        List<Mapping> cells = new ArrayList<>();
        Map<Long, Row> aggregates = new HashMap<>();
        Map<Long, Set<String>> hosts = new HashMap<>();
        Map<Long, Map<String, String>> metadata = new HashMap<>();
        return Pages.read(database, CELLS, PAGE_ROWS, row -> addCell(row, cells))
                .chain(() -> Pages.read(database, AGGREGATES, PAGE_ROWS, row -> aggregates.put(row.getLong("id"), row)))
                .chain(() -> Pages.read(database, HOSTS, PAGE_ROWS, row -> hosts
                        .computeIfAbsent(row.getLong("aggregate_id"), key -> new HashSet<>())
                        .add(row.getString("host"))))
                .chain(() -> Pages.read(database, METADATA, PAGE_ROWS, row -> metadata
                        .computeIfAbsent(row.getLong("aggregate_id"), key -> new HashMap<>())
                        .put(row.getString("name"), row.getString("text") == null ? "" : row.getString("text"))))
                .map(all -> {
                    Map<UUID, RegistryRecord> aggregatesByUuid = new HashMap<>();
                    aggregates.forEach((id, row) -> {
                        UUID uuid = Uuids.find(row.getString("uuid"));
                        if (uuid != null) {
                            aggregatesByUuid.put(uuid, new RegisteredAggregate(
                                    uuid,
                                    new HostAggregate(
                                            id, uuid.toString(),
                                            Objects.requireNonNullElse(row.getString("name"), uuid.toString()),
                                            metadata.getOrDefault(id, Map.of())),
                                    Set.copyOf(hosts.getOrDefault(id, Set.of()))));
                        }
                    });
                    List<Mapping> withoutCell0 = cells.stream().filter(cell -> !cell.uuid().equals(CELL0)).toList();
                    Mapping cell0 = cells.stream().filter(cell -> cell.uuid().equals(CELL0)).findFirst().orElse(null);
                    return new ApiContent(registry(previous, withoutCell0, aggregatesByUuid), withoutCell0, cell0);
                });
    }

    /**
     * Returns whether the instance has a build request. nova deletes the build request once the instance has a row in a
     * cell, including the row of a failed build.
     */
    static Uni<Boolean> isToBeBuilt(Database database, UUID instance) {
        return database.run(FIND_BUILD_REQUEST, instance.toString()).map(rows -> rows.size() > 0);
    }

    private static void addCell(Row row, List<Mapping> cells) {
        UUID uuid = Uuids.find(row.getString("uuid"));
        if (uuid != null) {
            String name = row.getString("name");
            cells.add(new Mapping(
                    uuid,
                    name == null ? uuid.toString() : name,
                    row.getString("database_connection"),
                    row.getValue("disabled") != null && row.getBoolean("disabled")));
        }
    }

    private static RegistrySnapshot registry(
            @Nullable ApiContent previous, List<Mapping> cells, Map<UUID, RegistryRecord> aggregates) {
        RegistrySnapshot before = previous == null ? RegistrySnapshot.EMPTY : previous.registry();
        Map<UUID, RegistryRecord> byUuid = new HashMap<>();
        cells.forEach(cell -> byUuid.put(cell.uuid(), new Cell(cell.uuid(), cell.name(), !cell.disabled())));
        Map<RecordCollection, Map<UUID, RegistryRecord>> changes = new HashMap<>();
        changes.put(RecordCollection.CELLS, before.changesTo(RecordCollection.CELLS, byUuid));
        changes.put(RecordCollection.HOST_AGGREGATES, before.changesTo(RecordCollection.HOST_AGGREGATES, aggregates));
        changes.values().removeIf(Map::isEmpty);
        return before.after(changes, Instant.now());
    }
}
