package io.berth.placement.fleet;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Builds a view of the tables' whole content on the basis of an existing view; the two share everything that is
 * unchanged.
 */
final class FleetDifference {
    private final FleetView known;
    private final List<NameCatalogue.Entry> classes;
    private final List<NameCatalogue.Entry> traits;
    private final List<Provider> changed = new ArrayList<>();
    /** The ids read so far that the existing view has, too; ascending. */
    private long[] met = new long[0];
    private int metCount;

    /**
     * @param classes all resource classes in the tables
     * @param traits all traits in the tables
     */
    FleetDifference(FleetView known, List<NameCatalogue.Entry> classes, List<NameCatalogue.Entry> traits) {
        this.known = known;
        this.classes = known.resourceClasses().changesTo(classes);
        this.traits = known.traits().changesTo(traits);
    }

    /** Takes the next provider of the tables, whose id must be higher than the one before. */
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
