package io.berth.placement.fleet;

import io.berth.placement.fleet.index.SnapshotMap;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * The names and ids of all resource classes, or of all traits, of one view. Ids are small integers that never leave the
 * service.
 */
public final class NameCatalogue {
    /** A name, with the epoch milliseconds of its latest change. */
    public record Entry(int id, String name, long updatedAtMs) {}

    private static final NameCatalogue EMPTY = new NameCatalogue(SnapshotMap.empty(), SnapshotMap.empty(), 0);

    private final SnapshotMap<String, Entry> byName;
    private final SnapshotMap<Integer, Entry> byId;
    private final int renames;

    private NameCatalogue(SnapshotMap<String, Entry> byName, SnapshotMap<Integer, Entry> byId, int renames) {
        this.renames = renames;
        this.byName = byName;
        this.byId = byId;
    }

    static NameCatalogue empty() {
        return EMPTY;
    }

    /** Returns null if the name is unknown. */
    public Entry find(String name) {
        return byName.get(name);
    }

    /** Returns null if the id is unknown. */
    public Entry find(int id) {
        return byId.get(id);
    }

    /** Returns the name of an id, which must be known. */
    public String name(int id) {
        Entry entry = byId.get(id);
        if (entry == null) {
            throw new IllegalStateException("no name for id " + id);
        }
        return entry.name();
    }

    /**
     * Returns a counter that rises when a known id gets another name, because text rendered with the old name is then
     * stale. It does not rise when names are added or removed.
     */
    public int renames() {
        return renames;
    }

    public int size() {
        return byName.size();
    }

    /** Returns every entry, ascending by id. */
    public List<Entry> list() {
        var all = new ArrayList<Entry>(byId.size());
        byId.forEach((id, entry) -> all.add(entry));
        all.sort(Comparator.comparingInt(Entry::id));
        return all;
    }

    /** Returns the changes for {@link #with} that lead to exactly these entries. */
    List<Entry> changesTo(List<Entry> all) {
        List<Entry> changes = new ArrayList<>();
        Set<Integer> there = new HashSet<>();
        for (Entry entry : all) {
            there.add(entry.id());
            if (!entry.equals(byId.get(entry.id()))) {
                changes.add(entry);
            }
        }
        byId.forEach((id, entry) -> {
            if (!there.contains(id)) {
                changes.add(new Entry(id, null, 0));
            }
        });
        return changes;
    }

    /**
     * Returns the catalogue after these changes, given in any order. An entry with a null name removes its id. A name
     * may move from one id to another.
     */
    NameCatalogue with(Iterable<Entry> changes) {
        var names = byName.edit();
        var ids = byId.edit();
        int renamesNow = renames;
        for (Entry change : changes) {
            Entry old = ids.get(change.id());
            if (old != null) {
                names.remove(old.name());
                ids.remove(old.id());
                if (change.name() != null && !change.name().equals(old.name())) {
                    renamesNow++;
                }
            }
        }
        for (Entry change : changes) {
            if (change.name() != null) {
                names.put(change.name(), change);
                ids.put(change.id(), change);
            }
        }
        return new NameCatalogue(names.done(), ids.done(), renamesNow);
    }
}
