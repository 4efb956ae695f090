package io.berth.placement.fleet;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Builds a view of the whole content of the tables as a change of an existing view. The two views share all objects
 * that are unchanged. Call {@link #read} for each provider, and then {@link #view}.
 */
final class FleetDifference {
    private final FleetView known;
    private final List<NameCatalogue.Entry> classes;
    private final List<NameCatalogue.Entry> traits;
    private final List<Provider> changed = new ArrayList<>();
    /**
     * The ids that have been read so far and are in the existing view, ascending. Only the first {@code metCount}
     * elements are in use.
     */
    private long[] foundIds = new long[0];
    private int foundCount;

    /**
     * @param classes all resource classes of the tables
     * @param traits all traits of the tables
     */
    FleetDifference(FleetView known, List<NameCatalogue.Entry> classes, List<NameCatalogue.Entry> traits) {
        this.known = known;
        this.classes = known.resourceClasses().changesTo(classes);
        this.traits = known.traits().changesTo(traits);
    }

    /** Adds the next provider of the tables. Its id must be higher than that of the previous one. */
    void read(Provider inTable) {
        Provider before = known.findInTables(inTable.id());
        if (before != null) {
            foundIds = foundCount < foundIds.length ? foundIds : Arrays.copyOf(foundIds, Math.max(16, 2 * foundCount));
            foundIds[foundCount++] = inTable.id();
        }
        if (before == null || !before.isSame(inTable)) {
            changed.add(inTable);
        }
    }

    /** Returns the view of the tables; the existing view if nothing differs. */
    FleetView view() {
        List<Long> gone =
                known.idsInTables().filter(id -> Arrays.binarySearch(foundIds, 0, foundCount, id) < 0).boxed().toList();
        return changed.isEmpty() && gone.isEmpty() && classes.isEmpty() && traits.isEmpty()
                ? known
                : known.with(changed, gone, classes, traits);
    }
}
