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
 * The display names of instances in the databases of nova's cells; among them cell0, which has the instances that no
 * host could take. If Berth owns the instances, their names are those of its registry.
 */
@Singleton
class NovaInstanceNames implements InstanceNames {
    /** The list of placeholders, one per instance, is appended. */
    private static final String NAMES =
            "SELECT uuid, host, display_name FROM instances WHERE display_name IS NOT NULL AND uuid IN ";
    /**
     * Params: 1 name. The rows of one cell. nova has no index on names, so that the database reads the cell's table;
     * its collation decides which names are equal.
     */
    private static final String FIND = "SELECT uuid, host, display_name FROM instances"
            + " WHERE deleted = 0 AND display_name = ? ORDER BY uuid LIMIT " + (NameLookup.CANDIDATES_MAX + 1);
    /** Maximum uuids in one statement. */
    private static final int PER_STATEMENT = 500;

    private final NovaRegistry nova;
    private final InstanceNameStore registered;

    NovaInstanceNames(NovaRegistry nova, InstanceNameStore registered) {
        this.nova = nova;
        this.registered = registered;
    }

    /** Leaves out the names in cells that do not respond. */
    @Override
    public Uni<Map<UUID, String>> namesOf(Collection<UUID> instances) {
        return !nova.isForeign()
                ? registered.namesOf(instances)
                : nova.withCell0()
                        .map(cells -> cells.stream().filter(cell -> !cell.isAway()).toList())
                        .chain(cells -> ofAll(cells, database -> names(database, List.copyOf(instances))
                                .onFailure().recoverWithItem(List.of())))
                        .onFailure().recoverWithItem(List.of())
                        .map(found -> found.stream().collect(
                                Collectors.toMap(NamedInstance::uuid, NamedInstance::name, (one, other) -> one)));
    }

    /** Fails if a cell does not respond, because another instance of the name could be in it. */
    @Override
    public Uni<List<NamedInstance>> find(String name) {
        return !nova.isForeign()
                ? registered.find(name)
                : nova.withCell0().chain(cells -> cells.stream().anyMatch(NovaInstanceNames::isSilent)
                        ? Uni.createFrom().failure(NovaInstanceNames::unsearched)
                        : ofAll(cells, database -> find(database, name)).map(NovaInstanceNames::once));
    }

    /** Returns whether the cell has a database that did not respond when hosts were read. */
    private static boolean isSilent(CellSource cell) {
        return cell.isAway() && cell.database().isPresent();
    }

    private static DatabaseUnavailable unsearched() {
        return new DatabaseUnavailable(
                "of a cell of nova does not answer, and the name may be that of an instance there; send the uuid");
    }

    /** Runs a query in the databases of the cells at the same time, and returns the results together. */
    private static Uni<List<NamedInstance>> ofAll(
            List<CellSource> cells, Function<Database, Uni<? extends List<NamedInstance>>> query) {
        return Multi.createFrom().iterable(cells)
                .onItem().transformToMulti(cell -> Multi.createFrom().items(cell.database().stream()))
                .merge()
                .onItem().transformToUni(query::apply)
                .merge(Math.max(1, cells.size()))
                .onItem().<NamedInstance>disjoint()
                .collect().asList();
    }

    /** Queries the instances in turns of {@value #PER_STATEMENT}. */
    private static Uni<List<NamedInstance>> names(Database database, List<UUID> instances) {
        return Multi.createFrom().items(IntStream.iterate(0, i -> i < instances.size(), i -> i + PER_STATEMENT).boxed())
                .map(i -> instances.subList(i, Math.min(instances.size(), i + PER_STATEMENT)))
                .onItem().transformToUniAndConcatenate(some -> database.run(
                        NAMES + Database.placeholders(some.size()),
                        some.stream().map(UUID::toString).toArray()))
                .onItem().transformToIterable(rows -> named(rows))
                .collect().asList();
    }

    private static Uni<List<NamedInstance>> find(Database database, String name) {
        return database.run(FIND, name).map(NovaInstanceNames::named).onFailure().transform(_ -> unsearched());
    }

    /** Returns the instances of rows of {@link #NAMES} or {@link #FIND}; without rows that hold no uuid. */
    private static List<NamedInstance> named(RowSet<Row> rows) {
        List<NamedInstance> named = new ArrayList<>();
        rows.forEach(row -> {
            UUID uuid = Uuids.find(row.getString("uuid"));
            if (uuid != null) {
                named.add(new NamedInstance(row.getString("display_name"), uuid, row.getString("host")));
            }
        });
        return named;
    }

    /** Merges the rows of an instance that two cells have because it moves between them. */
    private static List<NamedInstance> once(List<NamedInstance> found) {
        Map<UUID, NamedInstance> byUuid = new LinkedHashMap<>();
        found.forEach(each -> byUuid.putIfAbsent(each.uuid(), each));
        return List.copyOf(byUuid.values());
    }
}
