package io.berth.scheduler.host.registry.snapshot;

import io.berth.scheduler.host.UuidSet;
import jakarta.annotation.Nullable;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.UUID;

/**
 * An immutable map by uuid in sorted columns, with 20 bytes per entry. A lookup is a binary search. Every change copies
 * the whole map, so the map should have at most hundreds of entries.
 *
 * @param <V> never null
 */
final class UuidColumns<V> {
    private static final UuidColumns<?> EMPTY = new UuidColumns<>(new long[0], new Object[0]);

    /** Two longs per entry, the most significant bits first; in ascending order of {@link UUID#compareTo}. */
    private final long[] uuids;

    private final Object[] values;

    private UuidColumns(long[] uuids, Object[] values) {
        this.uuids = uuids;
        this.values = values;
    }

    @SuppressWarnings("unchecked")
    static <V> UuidColumns<V> empty() {
        return (UuidColumns<V>) EMPTY;
    }

    int size() {
        return values.length;
    }

    /** @param index index of the entry, 0 to {@link #size} - 1 */
    UUID uuid(int index) {
        return new UUID(uuids[2 * index], uuids[2 * index + 1]);
    }

    @SuppressWarnings("unchecked")
    V value(int index) {
        return (V) values[index];
    }

    /** Returns null if the map does not have the uuid. */
    @Nullable V find(UUID uuid) {
        int low = 0;
        int high = values.length - 1;
        while (low <= high) {
            int middle = (low + high) >>> 1;
            int order = compare(middle, uuid);
            if (order == 0) {
                return value(middle);
            }
            if (order < 0) {
                low = middle + 1;
            } else {
                high = middle - 1;
            }
        }
        return null;
    }

    /** Returns the number of keys that are in the set. */
    int countOf(UuidSet set) {
        int count = 0;
        for (int i = 0; i < uuids.length; i += 2) {
            count += set.contains(uuids[i], uuids[i + 1]) ? 1 : 0;
        }
        return count;
    }

    private int compare(int index, UUID uuid) {
        int order = Long.compare(uuids[2 * index], uuid.getMostSignificantBits());
        return order != 0 ? order : Long.compare(uuids[2 * index + 1], uuid.getLeastSignificantBits());
    }

    /** Returns a changed copy; a null value removes its key. */
    UuidColumns<V> with(Map<UUID, V> changes) {
        List<Map.Entry<UUID, V>> ordered = new ArrayList<>(changes.entrySet());
        ordered.sort(Map.Entry.comparingByKey());
        long[] nextUuids = new long[2 * (size() + ordered.size())];
        Object[] nextValues = new Object[size() + ordered.size()];
        // Index of the first entry of this map that is not copied yet, and the number of entries in the copy.
        int position = 0;
        int count = 0;
        for (Map.Entry<UUID, V> change : ordered) {
            UUID uuid = change.getKey();
            int from = position;
            while (position < size() && compare(position, uuid) < 0) {
                position++;
            }
            count = copy(from, position, nextUuids, nextValues, count);
            if (position < size() && compare(position, uuid) == 0) {
                position++;
            }
            if (change.getValue() != null) {
                nextUuids[2 * count] = uuid.getMostSignificantBits();
                nextUuids[2 * count + 1] = uuid.getLeastSignificantBits();
                nextValues[count++] = change.getValue();
            }
        }
        count = copy(position, size(), nextUuids, nextValues, count);
        if (count == 0) {
            return empty();
        }
        return count == nextValues.length
                ? new UuidColumns<>(nextUuids, nextValues)
                : new UuidColumns<>(Arrays.copyOf(nextUuids, 2 * count), Arrays.copyOf(nextValues, count));
    }

    /**
     * Copies the entries {@code from} (inclusive) to {@code to} (exclusive) into other columns, starting at {@code at}.
     *
     * @return the number of entries in the other columns after the copy
     */
    private int copy(int from, int to, long[] toUuids, Object[] toValues, int at) {
        System.arraycopy(uuids, 2 * from, toUuids, 2 * at, 2 * (to - from));
        System.arraycopy(values, from, toValues, at, to - from);
        return at + to - from;
    }

    /** Returns whether both maps have equal entries. */
    boolean hasEntriesOf(UuidColumns<V> other) {
        return this == other || (Arrays.equals(uuids, other.uuids) && Arrays.equals(values, other.values));
    }
}
