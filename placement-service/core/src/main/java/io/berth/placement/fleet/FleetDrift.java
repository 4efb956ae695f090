package io.berth.placement.fleet;

import io.quarkus.reactive.datasource.ReactiveDataSource;
import io.smallrye.mutiny.Uni;
import io.smallrye.mutiny.infrastructure.Infrastructure;
import io.vertx.mutiny.sqlclient.Pool;
import jakarta.inject.Singleton;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;

/**
 * Compares the fleet in this replica's memory with the tables. The two differ only if a transaction wrote a change
 * without recording it ({@link io.berth.placement.db.FleetChanges}). The comparison reads the whole fleet over the pool
 * for reads, and runs on a worker thread.
 */
@Singleton
public final class FleetDrift {
    /** The most providers in {@link Drift#shown}. */
    private static final int SHOWN_MAX = 100;
    private static final Drift NOTHING = new Drift(List.of(), 0);

    private final FleetFeed feed;
    private final FleetStore tables;

    FleetDrift(FleetFeed feed, @ReactiveDataSource("reads") Pool pool) {
        this.feed = feed;
        this.tables = new FleetStore(pool);
    }

    /**
     * The differences between the fleet in memory and the tables.
     *
     * @param providers uuids of providers that differ, or exist only in the tables or only in memory
     * @param names number of resource classes and traits that differ
     */
    public record Drift(List<UUID> providers, int names) {
        public Drift {
            providers = List.copyOf(providers);
        }

        public boolean isNothing() {
            return providers.isEmpty() && names == 0;
        }

        /** Returns the first {@value #SHOWN_MAX} providers, sorted by uuid. */
        public List<UUID> shown() {
            return providers.stream().sorted().limit(SHOWN_MAX).toList();
        }
    }

    /** The differences before changes during the comparison are removed; the uuid of each provider by id. */
    private record Difference(Map<Long, UUID> providers, int names) {}

    /**
     * Compares the fleet in memory with the tables. Ignores providers whose change was recorded during the comparison.
     */
    public Uni<Drift> find() {
        return tables.list().chain(listed -> feed.fresh()
                .emitOn(Infrastructure.getDefaultWorkerPool())
                .map(view -> compare(listed, view))
                .chain(difference -> difference.providers().isEmpty() && difference.names() == 0
                        ? Uni.createFrom().item(NOTHING)
                        : withoutChanges(listed, difference)));
    }

    private Uni<Drift> withoutChanges(FleetStore.Listed listed, Difference difference) {
        Long[] ids = difference.providers().keySet().toArray(Long[]::new);
        return tables.changedSince(listed.snapshot(), ids).map(changed -> {
            if (changed == null) {
                return NOTHING;
            }
            Map<Long, UUID> left = new HashMap<>(difference.providers());
            left.keySet().removeAll(changed);
            return new Drift(new ArrayList<>(left.values()), difference.names());
        });
    }

    private static Difference compare(FleetStore.Listed listed, FleetView view) {
        Map<Long, Provider> here = new HashMap<>();
        view.forEachProvider(provider -> here.put(provider.id(), provider));
        view.leftOut().values().forEach(tree -> tree.forEach(provider -> here.put(provider.id(), provider)));
        Map<Long, UUID> different = new HashMap<>();
        for (Provider inTable : listed.providers()) {
            Provider known = here.remove(inTable.id());
            if (known == null || !inTable.isSameButForTimes(known)) {
                different.put(inTable.id(), inTable.uuid());
            }
        }
        here.forEach((id, gone) -> different.put(id, gone.uuid()));
        return new Difference(
                different, names(listed.classes(), view.resourceClasses()) + names(listed.traits(), view.traits()));
    }

    private static int names(List<NameCatalogue.Entry> inTable, NameCatalogue here) {
        int same = 0;
        for (NameCatalogue.Entry entry : inTable) {
            NameCatalogue.Entry known = here.find(entry.id());
            same += known != null && known.name().equals(entry.name()) && here.find(entry.name()) == known ? 1 : 0;
        }
        return Math.max(inTable.size(), here.size()) - same;
    }
}
