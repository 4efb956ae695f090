package io.berth.scheduler.nova.database;

import io.berth.database.DatabaseUnavailable;
import io.berth.scheduler.host.registry.instance.InstanceNameStore;
import io.berth.scheduler.host.registry.instance.InstanceNames;
import io.berth.scheduler.host.registry.instance.NameLookup;
import io.berth.scheduler.host.registry.instance.NamedInstance;
import io.berth.scheduler.text.Uuids;
import io.smallrye.mutiny.Multi;
import io.smallrye.mutiny.Uni;
import io.vertx.mutiny.sqlclient.Row;
import io.vertx.mutiny.sqlclient.RowSet;
import jakarta.inject.Singleton;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * The display names of instances in the databases of nova's cells, including cell0, which has the instances that could
 * not be scheduled. If the registry is not read from nova's databases, the names come from Berth's own tables.
 */
@Singleton
class NovaInstanceNames implements InstanceNames {
    /**
     * One row per instance that has a name, even if it is deleted. A list of placeholders, one per uuid of an instance,
     * is appended.
     */
    private static final String NAMES =
            "SELECT uuid, host, display_name FROM instances WHERE display_name IS NOT NULL AND uuid IN ";
    /**
     * Params: 1 name. One row per instance of this name in one cell. The limit is one row more than the error for an
     * ambiguous name lists, so that this error can say that there are more. nova has no index on names, so the database
     * scans the table. The collation of the database decides which names are equal.
     */
    private static final String FIND = "SELECT uuid, host, display_name FROM instances"
            + " WHERE deleted = 0 AND display_name = ? ORDER BY uuid LIMIT " + (NameLookup.CANDIDATES_MAX + 1);
    /** The maximum number of uuids in one statement. */
    private static final int STATEMENT_UUIDS = 500;

    private final NovaRegistry nova;
    private final InstanceNameStore ownNames;

    NovaInstanceNames(NovaRegistry nova, InstanceNameStore ownNames) {
        this.nova = nova;
        this.ownNames = ownNames;
    }

    /**
     * Returns the names by uuid. Leaves out instances in cells that do not respond; empty if the API database does not
     * respond.
     */
    @Override
    public Uni<Map<UUID, String>> namesOf(Collection<UUID> instances) {
        return !nova.isForeign()
                ? ownNames.namesOf(instances)
                : nova.cellsAndCell0()
                        .map(cells -> cells.stream().filter(cell -> !cell.isUnavailable()).toList())
                        .chain(cells -> queryAll(cells, database -> names(database, List.copyOf(instances))
                                .onFailure().recoverWithItem(List.of())))
                        .onFailure().recoverWithItem(List.of())
                        .map(found -> found.stream().collect(
                                Collectors.toMap(NamedInstance::uuid, NamedInstance::name, (first, second) -> first)));
    }

    /**
     * Returns the instances of this name in all cells and cell0. Fails if a cell does not respond, because this cell
     * could have another instance of the name. A cell without a usable database URL is left out.
     */
    @Override
    public Uni<List<NamedInstance>> find(String name) {
        return !nova.isForeign()
                ? ownNames.find(name)
                : nova.cellsAndCell0().chain(cells -> cells.stream().anyMatch(NovaInstanceNames::isUnavailable)
                        ? Uni.createFrom().failure(NovaInstanceNames::cellUnavailable)
                        : queryAll(cells, database -> find(database, name)).map(NovaInstanceNames::withoutRepetitions));
    }

    /**
     * Returns whether the cell's database did not respond when hosts were read; false for a cell without a usable
     * database URL.
     */
    private static boolean isUnavailable(CellSource cell) {
        return cell.isUnavailable() && cell.database().isPresent();
    }

    private static DatabaseUnavailable cellUnavailable() {
        return new DatabaseUnavailable(
                "of a cell of nova does not answer, and the name may be that of an instance there; send the uuid");
    }

    /** Runs a query in the databases of the cells at the same time, and returns the results together. */
    private static Uni<List<NamedInstance>> queryAll(
            List<CellSource> cells, Function<Database, Uni<? extends List<NamedInstance>>> query) {
        return Multi.createFrom().iterable(cells)
                .onItem().transformToMulti(cell -> Multi.createFrom().items(cell.database().stream()))
                .merge()
                .onItem().transformToUni(query::apply)
                .merge(Math.max(1, cells.size()))
                .onItem().<NamedInstance>disjoint()
                .collect().asList();
    }

    /** Queries the names of {@value #STATEMENT_UUIDS} instances at a time. */
    private static Uni<List<NamedInstance>> names(Database database, List<UUID> instances) {
        return Multi.createFrom()
                .items(IntStream.iterate(0, i -> i < instances.size(), i -> i + STATEMENT_UUIDS).boxed())
                .map(i -> instances.subList(i, Math.min(instances.size(), i + STATEMENT_UUIDS)))
                .onItem().transformToUniAndConcatenate(batch -> database.run(
                        NAMES + Database.placeholders(batch.size()),
                        batch.stream().map(UUID::toString).toArray()))
                .onItem().transformToIterable(rows -> toInstances(rows))
                .collect().asList();
    }

    private static Uni<List<NamedInstance>> find(Database database, String name) {
        return database.run(FIND, name).map(NovaInstanceNames::toInstances).onFailure()
                .transform(_ -> cellUnavailable());
    }

    /** Returns the instances of rows of {@link #NAMES} or {@link #FIND}. Leaves out rows without a valid uuid. */
    private static List<NamedInstance> toInstances(RowSet<Row> rows) {
        List<NamedInstance> instances = new ArrayList<>();
        rows.forEach(row -> {
            UUID uuid = Uuids.find(row.getString("uuid"));
            if (uuid != null) {
                instances.add(new NamedInstance(row.getString("display_name"), uuid, row.getString("host")));
            }
        });
        return instances;
    }

    /** Leaves out the second row of an instance that two cells have because the instance is moving between them. */
    private static List<NamedInstance> withoutRepetitions(List<NamedInstance> found) {
        Map<UUID, NamedInstance> byUuid = new LinkedHashMap<>();
        found.forEach(each -> byUuid.putIfAbsent(each.uuid(), each));
        return List.copyOf(byUuid.values());
    }
}
