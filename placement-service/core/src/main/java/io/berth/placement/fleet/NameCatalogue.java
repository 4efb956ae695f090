package io.berth.placement.fleet;

import io.berth.placement.fleet.index.SnapshotMap;
import jakarta.annotation.Nullable;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;

/**
 * The names and ids of all resource classes, or of all traits, of one view. The ids are those of the database; clients
 * never see them. Immutable.
 */
public final class NameCatalogue {
    /**
     * A name with its id.
     *
     * @param name the name; null in a change that deletes the name
     * @param updatedAtMs epoch milliseconds of the latest change
     */
    public record Entry(int id, @Nullable String name, long updatedAtMs) {
        /** Returns the name. Must not be called for a change that deletes the name. */
        @Override
        public String name() {
            return Objects.requireNonNull(name, "the name is deleted");
        }

        boolean isDeletion() {
            return name == null;
        }
    }

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

    /** Returns the entry with this name; null if there is none. */
    public @Nullable Entry find(String name) {
        return byName.get(name);
    }

    /**
     * Returns the entry with this name.
     *
     * @throws IllegalStateException if there is none
     */
    public Entry get(String name) {
        Entry entry = byName.get(name);
        if (entry == null) {
            throw new IllegalStateException("no entry has the name " + name);
        }
        return entry;
    }

    /** Returns the entry with this id; null if there is none. */
    public @Nullable Entry find(int id) {
        return byId.get(id);
    }

    /**
     * Returns the name with this id.
     *
     * @throws IllegalStateException if there is none
     */
    public String name(int id) {
        Entry entry = byId.get(id);
        if (entry == null) {
            throw new IllegalStateException("no name for id " + id);
        }
        return entry.name();
    }

    /**
     * Returns the number of renames in this catalogue so far. JSON that was rendered at another number of renames may
     * contain old names. Inserts and deletions are not counted.
     */
    public int renames() {
        return renames;
    }

    public int size() {
        return byName.size();
    }

    /** Returns all entries, by ascending id. */
    public List<Entry> list() {
        var all = new ArrayList<Entry>(byId.size());
        byId.forEach((id, entry) -> all.add(entry));
        all.sort(Comparator.comparingInt(Entry::id));
        return all;
    }

    /** Returns the changes for {@link #with} after which the catalogue has exactly these entries. */
    List<Entry> changesTo(List<Entry> all) {
        List<Entry> changes = new ArrayList<>();
        Set<Integer> presentIds = new HashSet<>();
        for (Entry entry : all) {
            presentIds.add(entry.id());
            if (!entry.equals(byId.get(entry.id()))) {
                changes.add(entry);
            }
        }
        byId.forEach((id, entry) -> {
            if (!presentIds.contains(id)) {
                changes.add(new Entry(id, null, 0));
            }
        });
        return changes;
    }

    /**
     * Returns the catalogue after changes, in any order. An entry with a null name deletes the id. A name may move from
     * one id to another.
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
                if (!change.isDeletion() && !change.name().equals(old.name())) {
                    renamesNow++;
                }
            }
        }
        for (Entry change : changes) {
            if (!change.isDeletion()) {
                names.put(change.name(), change);
                ids.put(change.id(), change);
            }
        }
        return new NameCatalogue(names.done(), ids.done(), renamesNow);
    }
}
