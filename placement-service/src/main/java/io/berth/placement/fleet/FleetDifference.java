package io.berth.placement.fleet;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Builds a view of the tables' content, read from the first provider to the last, from an existing view, and shares
 * whatever is the same.
 */
final class FleetDifference {
    private final FleetView known;
    private final List<NameCatalogue.Entry> classes;
    private final List<NameCatalogue.Entry> traits;
    private final List<Provider> changed = new ArrayList<>();
    /** The ids read from the tables that the view knows, ascending. */
    private long[] met = new long[0];
    private int metCount;

    /**
     * @param classes all there are
     * @param traits all there are
     */
    FleetDifference(FleetView known, List<NameCatalogue.Entry> classes, List<NameCatalogue.Entry> traits) {
        this.known = known;
        this.classes = known.resourceClasses().changesTo(classes);
        this.traits = known.traits().changesTo(traits);
    }

    /** The next one in the tables, of a higher id than the one before. */
    void read(Provider inTable) {
        Provider before = known.findInTables(inTable.id());
        if (before != null) {
            met = metCount < met.length ? met : Arrays.copyOf(met, Math.max(16, 2 * metCount));
            met[metCount++] = inTable.id();
        }
        if (before == null || !before.isSame(inTable)) {
            changed.add(inTable);
        }
    }

    /** Returns the view of the tables, after all pages are read. */
    FleetView view() {
        List<Long> gone = known.idsInTables().filter(id -> Arrays.binarySearch(met, 0, metCount, id) < 0).boxed().toList();
        return changed.isEmpty() && gone.isEmpty() && classes.isEmpty() && traits.isEmpty()
                ? known
                : known.with(changed, gone, classes, traits);
    }
}
