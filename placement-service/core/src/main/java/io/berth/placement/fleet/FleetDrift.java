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
 * without recording it ({@link io.berth.placement.db.FleetChanges}). Reads the whole fleet over the pool for reads, and
 * compares it on a worker thread. Times of changes are not compared.
 */
@Singleton
public final class FleetDrift {
    /** The most providers in {@link Drift#shown}. */
    private static final int SHOWN_MAX = 100;
    private static final Drift NOTHING = new Drift(List.of(), 0);

    private final FleetFeed feed;
    private final FleetStore store;

    FleetDrift(FleetFeed feed, @ReactiveDataSource("reads") Pool pool) {
        this.feed = feed;
        this.store = new FleetStore(pool);
    }

    /**
     * The differences between the fleet in memory and the tables.
     *
     * @param providers uuids of providers that differ, or exist only in the tables or only in memory
     * @param differingNameCount number of resource classes and traits that differ in id or name
     */
    public record Drift(List<UUID> providers, int differingNameCount) {
        public Drift {
            providers = List.copyOf(providers);
        }

        public boolean isEmpty() {
            return providers.isEmpty() && differingNameCount == 0;
        }

        /** Returns the first {@value #SHOWN_MAX} providers, sorted by uuid. */
        public List<UUID> shown() {
            return providers.stream().sorted().limit(SHOWN_MAX).toList();
        }
    }

    /**
     * The differences before {@link #withoutChanges}: some may be due to changes that were made during the comparison.
     *
     * @param providers the uuid of each provider that differs, by id
     * @param differingNameCount see {@link Drift#differingNameCount}
     */
    private record UnfilteredDrift(Map<Long, UUID> providers, int differingNameCount) {}

    /**
     * Compares the fleet in memory with the tables. Ignores providers whose change was recorded during the comparison,
     * and finds nothing if a resource class, a trait or the whole fleet changed in this time, or if the comparison took
     * so long that changes were pruned.
     */
    public Uni<Drift> find() {
        return store.readTables().chain(listed -> feed.fresh()
                .emitOn(Infrastructure.getDefaultWorkerPool())
                .map(view -> compare(listed, view))
                .chain(difference -> difference.providers().isEmpty() && difference.differingNameCount() == 0
                        ? Uni.createFrom().item(NOTHING)
                        : withoutChanges(listed, difference)));
    }

    /**
     * Removes the providers that changed since the tables were read. Returns no difference at all if a resource class,
     * a trait or the whole fleet changed since then.
     */
    private Uni<Drift> withoutChanges(FleetStore.TableContent listed, UnfilteredDrift difference) {
        Long[] ids = difference.providers().keySet().toArray(Long[]::new);
        return store.changedSince(listed.snapshot(), ids).map(changed -> {
            if (changed == null) {
                return NOTHING;
            }
            Map<Long, UUID> remaining = new HashMap<>(difference.providers());
            remaining.keySet().removeAll(changed);
            return new Drift(new ArrayList<>(remaining.values()), difference.differingNameCount());
        });
    }

    private static UnfilteredDrift compare(FleetStore.TableContent listed, FleetView view) {
        Map<Long, Provider> inMemory = new HashMap<>();
        view.forEachProvider(provider -> inMemory.put(provider.id(), provider));
        // Providers whose parents do not lead to their root are in memory, but in no tree.
        view.leftOut().values().forEach(tree -> tree.forEach(provider -> inMemory.put(provider.id(), provider)));
        Map<Long, UUID> different = new HashMap<>();
        for (Provider inTable : listed.providers()) {
            Provider memoryProvider = inMemory.remove(inTable.id());
            if (memoryProvider == null || !inTable.isSameButForTimes(memoryProvider)) {
                different.put(inTable.id(), inTable.uuid());
            }
        }
        inMemory.forEach((id, gone) -> different.put(id, gone.uuid()));
        return new UnfilteredDrift(
                different,
                countDifferent(listed.classes(), view.resourceClasses())
                        + countDifferent(listed.traits(), view.traits()));
    }

    private static int countDifferent(List<NameCatalogue.Entry> inTable, NameCatalogue inMemory) {
        int same = 0;
        for (NameCatalogue.Entry entry : inTable) {
            NameCatalogue.Entry memoryEntry = inMemory.find(entry.id());
            boolean isSame = memoryEntry != null && memoryEntry.name().equals(entry.name())
                    && inMemory.find(entry.name()) == memoryEntry;
            same += isSame ? 1 : 0;
        }
        return Math.max(inTable.size(), inMemory.size()) - same;
    }
}
