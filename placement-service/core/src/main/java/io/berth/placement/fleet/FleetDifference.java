package io.berth.placement.fleet;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Builds a view of the whole content of the tables as a change of an existing view. The two views share all objects
 * that are unchanged. Call {@link #add} for each provider, and then {@link #view}.
 */
final class FleetDifference {
    private final FleetView existing;
    /** The changes that lead from the existing view's resource classes to those of the tables. */
    private final List<NameCatalogue.Entry> classChanges;
    /** The changes that lead from the existing view's traits to those of the tables. */
    private final List<NameCatalogue.Entry> traitChanges;
    private final List<Provider> changed = new ArrayList<>();
    /**
     * The ids that have been read so far and are in the existing view, ascending. Only the first {@code foundCount}
     * elements are in use.
     */
    private long[] foundIds = new long[0];
    private int foundCount;

    /**
     * @param classes all resource classes of the tables
     * @param traits all traits of the tables
     */
    FleetDifference(FleetView existing, List<NameCatalogue.Entry> classes, List<NameCatalogue.Entry> traits) {
        this.existing = existing;
        this.classChanges = existing.resourceClasses().changesTo(classes);
        this.traitChanges = existing.traits().changesTo(traits);
    }

    /** Adds the next provider of the tables. Providers must be added by ascending id. */
    void add(Provider provider) {
        Provider before = existing.findInTables(provider.id());
        if (before != null) {
            foundIds = foundCount < foundIds.length ? foundIds : Arrays.copyOf(foundIds, Math.max(16, 2 * foundCount));
            foundIds[foundCount++] = provider.id();
        }
        if (before == null || !before.isSame(provider)) {
            changed.add(provider);
        }
    }

    /** Returns the view of the tables; the existing view if nothing differs. */
    FleetView view() {
        List<Long> deletedIds = existing.idsInTables()
                .filter(id -> Arrays.binarySearch(foundIds, 0, foundCount, id) < 0)
                .boxed().toList();
        return changed.isEmpty() && deletedIds.isEmpty() && classChanges.isEmpty() && traitChanges.isEmpty()
                ? existing
                : existing.with(changed, deletedIds, classChanges, traitChanges);
    }
}
