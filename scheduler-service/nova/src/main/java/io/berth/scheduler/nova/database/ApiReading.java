package io.berth.scheduler.nova.database;

import io.berth.scheduler.host.HostAggregate;
import io.berth.scheduler.host.registry.Cell;
import io.berth.scheduler.host.registry.Collection;
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

/** Reads cells and host aggregates from nova's API database: all of them each time, because they are few. */
final class ApiReading {
    private static final int PER_PAGE = 5_000;
    /** cell0 contains no hosts, only instances that failed to schedule. */
    private static final UUID CELL0 = new UUID(0, 0);
    private static final String CELLS =
            "SELECT id, uuid, name, database_connection, disabled FROM cell_mappings WHERE 1 = 1";
    private static final String AGGREGATES = "SELECT id, uuid, name FROM aggregates WHERE uuid IS NOT NULL";
    private static final String HOSTS = "SELECT id, aggregate_id, host FROM aggregate_hosts WHERE 1 = 1";
    private static final String METADATA =
            "SELECT m.id, m.aggregate_id, m.key AS name, m.value AS text FROM aggregate_metadata m WHERE 1 = 1";

    /** Params: 1 uuid of an instance. No row if the instance has no build request. */
    private static final String TO_BE_BUILT = "SELECT id FROM build_requests WHERE instance_uuid = ?";

    private ApiReading() {}

    /** A cell and the URL of its database, which may be a template. {@code toString} contains no password. */
    record Mapping(UUID uuid, String name, String connection, boolean disabled) {
        /**
         * Returns the key of this cell's layer in {@link io.berth.scheduler.host.registry.snapshot.RegistryLayers}. The
         * key changes if the cell is disabled, because the layer then has another position.
         */
        Object layer() {
            return disabled ? "disabled " + uuid : uuid;
        }

        @Override
        public String toString() {
            return name + " " + uuid;
        }
    }

    /**
     * @param registry the cells and host aggregates of the API database
     * @param cells in the order of their ids, without cell0
     * @param cell0 null if nova has no such mapping
     */
    record Read(RegistrySnapshot registry, List<Mapping> cells, @Nullable Mapping cell0) {}

    /**
     * Reads all cells and host aggregates.
     *
     * @param held the previous result, whose unchanged records are kept; null the first time
     */
    static Uni<Read> read(Database database, @Nullable Read held) {
        List<Mapping> cells = new ArrayList<>();
        Map<Long, Row> aggregates = new HashMap<>();
        Map<Long, Set<String>> hosts = new HashMap<>();
        Map<Long, Map<String, String>> metadata = new HashMap<>();
        return Pages.read(database, CELLS, PER_PAGE, row -> cell(row, cells))
                .chain(() -> Pages.read(database, AGGREGATES, PER_PAGE, row -> aggregates.put(row.getLong("id"), row)))
                .chain(() -> Pages.read(database, HOSTS, PER_PAGE, row -> hosts
                        .computeIfAbsent(row.getLong("aggregate_id"), key -> new HashSet<>())
                        .add(row.getString("host"))))
                .chain(() -> Pages.read(database, METADATA, PER_PAGE, row -> metadata
                        .computeIfAbsent(row.getLong("aggregate_id"), key -> new HashMap<>())
                        .put(row.getString("name"), row.getString("text") == null ? "" : row.getString("text"))))
                .map(all -> {
                    Map<UUID, RegistryRecord> read = new HashMap<>();
                    aggregates.forEach((id, row) -> {
                        UUID uuid = Uuids.find(row.getString("uuid"));
                        if (uuid != null) {
                            read.put(uuid, new RegisteredAggregate(
                                    uuid,
                                    new HostAggregate(
                                            id, uuid.toString(),
                                            Objects.requireNonNullElse(row.getString("name"), uuid.toString()),
                                            metadata.getOrDefault(id, Map.of())),
                                    Set.copyOf(hosts.getOrDefault(id, Set.of()))));
                        }
                    });
                    List<Mapping> ofHosts = cells.stream().filter(cell -> !cell.uuid().equals(CELL0)).toList();
                    Mapping cell0 = cells.stream().filter(cell -> cell.uuid().equals(CELL0)).findFirst().orElse(null);
                    return new Read(registry(held, ofHosts, read), ofHosts, cell0);
                });
    }

    /**
     * Returns whether the instance has a build request. nova deletes the build request once the instance has a row in a
     * cell, including the row of a failed build.
     */
    static Uni<Boolean> isToBeBuilt(Database database, UUID instance) {
        return database.run(TO_BE_BUILT, instance.toString()).map(rows -> rows.size() > 0);
    }

    private static void cell(Row row, List<Mapping> cells) {
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
            @Nullable Read held, List<Mapping> cells, Map<UUID, RegistryRecord> aggregates) {
        RegistrySnapshot before = held == null ? RegistrySnapshot.EMPTY : held.registry();
        Map<UUID, RegistryRecord> byUuid = new HashMap<>();
        cells.forEach(cell -> byUuid.put(cell.uuid(), new Cell(cell.uuid(), cell.name(), !cell.disabled())));
        Map<Collection, Map<UUID, RegistryRecord>> changes = new HashMap<>();
        changes.put(Collection.CELLS, before.changesTo(Collection.CELLS, byUuid));
        changes.put(Collection.HOST_AGGREGATES, before.changesTo(Collection.HOST_AGGREGATES, aggregates));
        changes.values().removeIf(Map::isEmpty);
        return before.after(changes, Instant.now());
    }
}
