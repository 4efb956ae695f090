package io.berth.placement.fleet;

import io.berth.database.ChangeTable;
import io.berth.database.OneSnapshot;
import io.berth.database.Origin;
import io.berth.model.text.UuidForm;
import io.berth.placement.db.FleetChanges;
import io.quarkus.reactive.datasource.ReactiveDataSource;
import io.smallrye.mutiny.Uni;
import io.vertx.mutiny.sqlclient.Pool;
import io.vertx.mutiny.sqlclient.Row;
import io.vertx.mutiny.sqlclient.RowSet;
import io.vertx.mutiny.sqlclient.SqlConnection;
import io.vertx.mutiny.sqlclient.Tuple;
import jakarta.annotation.Nullable;
import jakarta.inject.Singleton;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;

/**
 * Reads the fleet from PostgreSQL: all of it, or the changes since a snapshot. {@link FleetFeed} uses a pool of its
 * own, {@link FleetDrift} the pool for reads.
 */
@Singleton
public final class FleetStore {
    /** The number of providers in one page of a full load. */
    private static final int PAGE_PROVIDERS = 5_000;
    /** The most rows of {@link #CATCH_UP} that a catch-up applies; with more, a full load is cheaper. */
    static final int CHANGES_MAX = 20_000;

    /**
     * The columns of provider {@code p}. The inventories are arrays, one per column, with the same index for the same
     * resource class; all of them are null if there are none. {@code aggregates} is null if there are none. {@code
     * spellings} has the spelling of each aggregate that a client did not write in the canonical form; null if there is
     * none.
     */
    private static final String PROVIDER_COLUMNS = """
                   p.id, p.uuid, p.name, p.generation, p.parent_id, p.root_id,
                   (extract(epoch FROM p.updated_at) * 1000)::bigint AS updated_ms,
                   i.class_ids, i.totals, i.reserveds, i.min_units, i.max_units, i.step_sizes, i.ratios, i.useds,
                   i.updated_ms AS inventories_updated_ms,
                   ARRAY(SELECT trait_id FROM provider_traits WHERE provider_id = p.id) AS trait_ids,
                   a.aggregates, a.spellings
            """;

    /**
     * Joins the inventories ({@code i}) and aggregates ({@code a}) of provider {@code p} as arrays. A subquery sorts
     * the inventories, because a sort in each of the eight aggregate functions took two fifths of the time of a
     * catch-up.
     */
    private static final String PARTS_OF_P = """
              LEFT JOIN LATERAL (
                   SELECT array_agg(resource_class_id) AS class_ids, array_agg(total) AS totals,
                          array_agg(reserved) AS reserveds, array_agg(min_unit) AS min_units,
                          array_agg(max_unit) AS max_units, array_agg(step_size) AS step_sizes,
                          array_agg(allocation_ratio) AS ratios, array_agg(used) AS useds,
                          (extract(epoch FROM max(updated_at)) * 1000)::bigint AS updated_ms
                     FROM (SELECT * FROM inventories WHERE provider_id = p.id
                         ORDER BY resource_class_id) by_class) i ON true
              LEFT JOIN LATERAL (
                   SELECT array_agg(aggregate) AS aggregates,
                          array_agg(written) FILTER (WHERE written IS NOT NULL) AS spellings
                     FROM provider_aggregates WHERE provider_id = p.id) a ON true
            """;

    /** The table of changes that transactions record with {@link FleetChanges}, and its watermark. */
    static final ChangeTable CHANGES =
            new ChangeTable("fleet_changes", "kind, object_id", "fleet_watermark", "pruned_before");

    /** The columns that identify the snapshot and the server of a result. */
    private static final String SNAPSHOT_COLUMNS = """
                   pg_current_snapshot()::text AS snapshot, pg_backend_pid() AS backend,
            """ + Origin.COLUMNS;

    /**
     * Selects the changes since a snapshot. Params: 1 the snapshot of the present view (text), 2 limit of rows.
     * Returns one or two rows for each changed object ({@link ChangeTable#changesSinceSql}), and at least one row.
     * Every row has the columns of {@link #SNAPSHOT_COLUMNS}, and {@code complete}, false if changes since the snapshot
     * may have been pruned. {@code kind} and {@code object_id} are those of {@code fleet_changes}; {@code kind} is null
     * if nothing changed. The other columns have the present state of the object, and are null if the object was
     * deleted.
     */
    static final String CATCH_UP = "WITH d AS MATERIALIZED (\n" + CHANGES.changesSinceSql() + "LIMIT $2)\n" + """
            SELECT h.*, d.kind, d.object_id,
                   coalesce(rc.name, t.name) AS catalogue_name,
                   (extract(epoch FROM coalesce(rc.updated_at, t.updated_at)) * 1000)::bigint AS catalogue_updated_ms,
            """ + PROVIDER_COLUMNS + """
              FROM (SELECT
            """ + SNAPSHOT_COLUMNS + ",\n" + CHANGES.hasAllChangesSinceSql() + """
                     AS complete
                      FROM fleet_watermark w) h
              LEFT JOIN d ON true
              LEFT JOIN resource_classes rc ON d.kind = 1 AND rc.id = d.object_id
              LEFT JOIN traits t ON d.kind = 2 AND t.id = d.object_id
              LEFT JOIN resource_providers p ON d.kind = 0 AND p.id = d.object_id
            """ + PARTS_OF_P;

    /**
     * Checks whether anything changed since a snapshot. Params: 1 the snapshot of the present view (text). Returns one
     * row with the columns of {@link #SNAPSHOT_COLUMNS}, {@code complete} as in {@link #CATCH_UP}, and {@code changed}.
     * If nothing changed, this takes two thirds of the time of {@link #CATCH_UP}.
     */
    static final String CHECK_FOR_CHANGES = "SELECT\n" + SNAPSHOT_COLUMNS + ",\n" + CHANGES.hasAllChangesSinceSql()
            + " AS complete,\n"
            + CHANGES.hasChangesSinceSql() + " AS changed\n"
            + "  FROM fleet_watermark w";

    /** Returns one row with the columns of {@link #SNAPSHOT_COLUMNS}. */
    private static final String LOAD_HEAD =
            "SELECT\n" + SNAPSHOT_COLUMNS + "\n  FROM fleet_watermark w";

    /** Returns all resource classes; {@code updated_ms} is in epoch milliseconds. */
    private static final String LOAD_CLASSES = """
            SELECT id, name, (extract(epoch FROM updated_at) * 1000)::bigint AS updated_ms FROM resource_classes
            """;

    /** Returns all traits; {@code updated_ms} is in epoch milliseconds. */
    private static final String LOAD_TRAITS = """
            SELECT id, name, (extract(epoch FROM updated_at) * 1000)::bigint AS updated_ms FROM traits
            """;

    /**
     * Returns the next page of providers, by ascending id. Params: 1 the last id of the previous page, 2 number of
     * providers in a page.
     */
    private static final String LOAD_PAGE = "SELECT " + PROVIDER_COLUMNS
            + "  FROM (SELECT * FROM resource_providers WHERE id > $1 ORDER BY id LIMIT $2) p\n"
            + PARTS_OF_P
            + " ORDER BY p.id";

    /**
     * Selects the changes since a snapshot, except changes of other providers than those with the given ids. Params: 1
     * a snapshot (text), 2 provider ids. Columns: {@code kind} and {@code object_id} of {@code fleet_changes}. Has a
     * row of {@link FleetChanges#EVERYTHING} if changes since the snapshot may have been pruned.
     */
    private static final String CHANGED_SINCE = "SELECT kind, object_id FROM (\n" + CHANGES.changesSinceSql()
            + ") c\n WHERE kind <> 0 OR object_id = ANY($2::bigint[])\n"
            + " UNION ALL\nSELECT " + FleetChanges.EVERYTHING + "::smallint, 0::bigint FROM fleet_watermark w\n"
            + " WHERE NOT " + CHANGES.hasAllChangesSinceSql();

    private final Pool pool;

    FleetStore(@ReactiveDataSource("fleet") Pool pool) {
        this.pool = pool;
    }

    /**
     * A view, and the snapshot that it shows.
     *
     * @param snapshot the snapshot of the database that the view shows (a {@code pg_snapshot} as text)
     * @param origin the server and table that the view was read from; changes from another origin cannot be applied to
     *         the view
     * @param backend process id of the PostgreSQL backend that read the view; a later result of another backend means a
     *         reconnect, perhaps to another server
     * @param changes the number of changes that were applied to the previous view; {@link #ALL} after a full load
     */
    record LoadedFleet(FleetView view, String snapshot, Origin origin, int backend, int changes) {
        /** The value of {@link #changes} after a full load. */
        static final int ALL = -1;

        private LoadedFleet withView(FleetView now, String nowSnapshot, int nowChanges) {
            return new LoadedFleet(now, nowSnapshot, origin, backend, nowChanges);
        }
    }

    /**
     * Applies the changes since the present view. Returns a null item if a full load is needed: the changes have more
     * than {@link #CHANGES_MAX} rows, some may have been pruned, one of them is {@link FleetChanges#EVERYTHING}, the
     * connection is another one, or the database was restored.
     */
    Uni<LoadedFleet> catchUp(LoadedFleet present) {
        // Does not use the pool's own query method: after a failure to connect, the timeout of that method would still
        // fire later and be logged.
        return pool.withConnection(
                // If the previous catch-up found no changes, this one probably finds none.
                connection -> present.changes() == 0
                        ? checkForChanges(connection, present)
                        : catchUp(connection, present));
    }

    /** Does the same as {@link #catchUp(SqlConnection, LoadedFleet)}, but first checks whether there is any change. */
    private static Uni<LoadedFleet> checkForChanges(SqlConnection connection, LoadedFleet present) {
        return connection.preparedQuery(CHECK_FOR_CHANGES).execute(Tuple.of(present.snapshot())).chain(rows -> {
            Row row = rows.iterator().next();
            return row.getBoolean("changed")
                    ? catchUp(connection, present)
                    : Uni.createFrom().item(withoutChanges(present, row));
        });
    }

    /** Returns the present view at the snapshot of the row; null if a full load is needed. */
    private static @Nullable LoadedFleet withoutChanges(LoadedFleet present, Row row) {
        return isContinued(present, row) ? present.withView(present.view(), row.getString("snapshot"), 0) : null;
    }

    private static Uni<LoadedFleet> catchUp(SqlConnection connection, LoadedFleet present) {
        return connection.preparedQuery(CATCH_UP)
                .execute(Tuple.of(present.snapshot(), CHANGES_MAX + 1))
                .map(rows -> apply(present, rows));
    }

    /**
     * Returns true if the row comes from the same backend and tables as the present view, and no change since the view
     * can have been pruned.
     */
    private static boolean isContinued(LoadedFleet present, Row row) {
        return Origin.of(row).equals(present.origin())
                && row.getInteger("backend") == present.backend()
                && row.getBoolean("complete");
    }

    /** Returns the view after the changes of a {@link #CATCH_UP}; null if a full load is needed. */
    private static @Nullable LoadedFleet apply(LoadedFleet present, RowSet<Row> rows) {
        List<Provider> changed = new ArrayList<>();
        List<Long> deleted = new ArrayList<>();
        List<NameCatalogue.Entry> classes = new ArrayList<>();
        List<NameCatalogue.Entry> traits = new ArrayList<>();
        String snapshot = null;
        for (Row row : rows) {
            if (snapshot == null) {
                snapshot = row.getString("snapshot");
                if (!isContinued(present, row) || rows.size() > CHANGES_MAX) {
                    return null;
                }
            }
            Short kind = row.getShort("kind");
            if (kind == null) {
                continue;
            }
            long id = row.getLong("object_id");
            switch (kind) {
                case FleetChanges.PROVIDER -> {
                    if (row.getUUID("uuid") == null) {
                        deleted.add(id);
                    } else {
                        changed.add(provider(row));
                    }
                }
                case FleetChanges.RESOURCE_CLASS -> classes.add(catalogueEntry(row, id));
                case FleetChanges.TRAIT -> traits.add(catalogueEntry(row, id));
                default -> {
                    return null;
                }
            }
        }
        if (snapshot == null) {
            return null;
        }
        int changes = changed.size() + deleted.size() + classes.size() + traits.size();
        FleetView view = changes == 0 ? present.view() : present.view().with(changed, deleted, classes, traits);
        return present.withView(view, snapshot, changes);
    }

    private static NameCatalogue.Entry catalogueEntry(Row row, long id) {
        Long updatedAtMs = row.getLong("catalogue_updated_ms");
        return new NameCatalogue.Entry((int) id, row.getString("catalogue_name"),
                updatedAtMs == null ? 0 : updatedAtMs);
    }

    /**
     * Reads the whole fleet in one repeatable-read transaction. Before it, removes recorded changes of another server
     * ({@link ChangeTable#removeForeignChanges}).
     *
     * @param base a view of any age and from any server. The new view shares all unchanged objects with this view,
     *         because the heap has no room for two whole fleets, and running requests may still use the old view
     */
    Uni<LoadedFleet> load(FleetView base) {
        return CHANGES.removeForeignChanges(pool)
                // Changes of another server mean that the database was restored. Every replica must then reload,
                // because it read its view from the previous tables.
                .call(isRestored -> isRestored ? recordEverything() : Uni.createFrom().voidItem())
                .chain(() -> OneSnapshot.read(pool, connection -> loadIn(connection, base)));
    }

    private Uni<?> recordEverything() {
        return pool.preparedQuery(FleetChanges.RECORD)
                .execute(Tuple.tuple().addValue(FleetChanges.EVERYTHING).addValue(new Long[] {0L}));
    }

    private static Uni<LoadedFleet> loadIn(SqlConnection connection, FleetView base) {
        return connection.query(LOAD_HEAD).execute()
                .map(rows -> rows.iterator().next())
                .map(head -> new LoadedFleet(
                        base, head.getString("snapshot"), Origin.of(head), head.getInteger("backend"),
                        LoadedFleet.ALL))
                .chain(start -> readNames(connection, LOAD_CLASSES)
                        .chain(classes -> readNames(connection, LOAD_TRAITS)
                                .chain(traits -> {
                                    var difference = new FleetDifference(base, classes, traits);
                                    return readPages(connection, difference::add).map(done -> difference.view());
                                }))
                        .map(view -> start.withView(view, start.snapshot(), LoadedFleet.ALL)));
    }

    /**
     * The content of the tables, for {@link FleetDrift}.
     *
     * @param snapshot the snapshot of the database that was read (a {@code pg_snapshot} as text)
     * @param providers all providers, by ascending id, also those that a view {@linkplain FleetView#leftOut leaves out}
     */
    record TableContent(
            String snapshot,
            List<Provider> providers, List<NameCatalogue.Entry> classes, List<NameCatalogue.Entry> traits) {}

    /** Reads the whole fleet in one repeatable-read transaction. */
    Uni<TableContent> readTables() {
        return OneSnapshot.read(pool, connection -> connection.query(LOAD_HEAD).execute()
                .map(rows -> rows.iterator().next().getString("snapshot"))
                .chain(snapshot -> readNames(connection, LOAD_CLASSES)
                        .chain(classes -> readNames(connection, LOAD_TRAITS)
                                .chain(traits -> {
                                    List<Provider> all = new ArrayList<>();
                                    return readPages(connection, all::add)
                                            .map(done -> new TableContent(snapshot, all, classes, traits));
                                }))));
    }

    /**
     * Returns the ids of the given providers that changed after the snapshot; a null item if a resource class, a trait
     * or the whole fleet changed, or if some changes may have been pruned.
     */
    Uni<Set<Long>> changedSince(String snapshot, Long[] providerIds) {
        return pool.preparedQuery(CHANGED_SINCE)
                .execute(Tuple.tuple().addValue(snapshot).addValue(providerIds))
                .map(rows -> {
                    Set<Long> ids = new HashSet<>();
                    for (Row row : rows) {
                        if (row.getShort("kind") != FleetChanges.PROVIDER) {
                            return null;
                        }
                        ids.add(row.getLong("object_id"));
                    }
                    return ids;
                });
    }

    private static Uni<List<NameCatalogue.Entry>> readNames(SqlConnection connection, String sql) {
        return connection.query(sql).execute().map(rows -> {
            List<NameCatalogue.Entry> all = new ArrayList<>(rows.size());
            for (Row row : rows) {
                all.add(new NameCatalogue.Entry(row.getInteger("id"), row.getString("name"),
                        row.getLong("updated_ms")));
            }
            return all;
        });
    }

    /**
     * Passes every provider to {@code each}, by ascending id. The result is the number of providers in the last page,
     * which callers ignore.
     */
    private static Uni<Integer> readPages(SqlConnection connection, Consumer<Provider> each) {
        var last = new AtomicLong();
        return Uni.createFrom()
                .deferred(() -> connection.preparedQuery(LOAD_PAGE).execute(Tuple.of(last.get(), PAGE_PROVIDERS)))
                .map(rows -> {
                    for (Row row : rows) {
                        Provider provider = provider(row);
                        last.set(provider.id());
                        each.accept(provider);
                    }
                    return rows.size();
                })
                .repeat().whilst(read -> read == PAGE_PROVIDERS)
                .collect().last();
    }

    private static Provider provider(Row row) {
        Long parent = row.getLong("parent_id");
        Integer[] traitIds = row.getArrayOfIntegers("trait_ids");
        UUID[] aggregates = row.getArrayOfUUIDs("aggregates");
        return new Provider(
                row.getLong("id"),
                row.getUUID("uuid"),
                row.getString("name"),
                row.getInteger("generation"),
                parent == null ? 0 : parent,
                row.getLong("root_id"),
                row.getLong("updated_ms"),
                inventories(row),
                unboxed(traitIds),
                aggregates == null ? new UUID[0] : aggregates,
                spellings(row.getArrayOfStrings("spellings")),
                new Provider.Rendered());
    }

    /**
     * Returns the clients' spellings by aggregate. Ignores a spelling that is not 32 hexadecimal digits, with any
     * dashes. Only manual SQL can store such a spelling, and it must not make all providers unreadable.
     */
    private static Map<UUID, String> spellings(@Nullable String[] written) {
        Map<UUID, String> spellings = new HashMap<>();
        for (String text : written == null ? new String[0] : written) {
            UuidForm.findDigits(text).ifPresent(uuid -> spellings.put(uuid, text));
        }
        return spellings;
    }

    private static Inventories inventories(Row row) {
        Integer[] classIds = row.getArrayOfIntegers("class_ids");
        if (classIds == null) {
            return Inventories.NONE;
        }
        Double[] ratios = row.getArrayOfDoubles("ratios");
        Long[] useds = row.getArrayOfLongs("useds");
        double[] ratio = new double[classIds.length];
        long[] used = new long[classIds.length];
        for (int i = 0; i < classIds.length; i++) {
            ratio[i] = ratios[i];
            used[i] = useds[i];
        }
        return new Inventories(
                unboxed(classIds), unboxed(row.getArrayOfIntegers("totals")),
                unboxed(row.getArrayOfIntegers("reserveds")),
                unboxed(row.getArrayOfIntegers("min_units")), unboxed(row.getArrayOfIntegers("max_units")),
                unboxed(row.getArrayOfIntegers("step_sizes")), ratio, used, row.getLong("inventories_updated_ms"));
    }

    private static int[] unboxed(Integer[] boxed) {
        int[] plain = new int[boxed.length];
        for (int i = 0; i < plain.length; i++) {
            plain[i] = boxed[i];
        }
        return plain;
    }
}
