package io.berth.placement.fleet.index;

import jakarta.annotation.Nullable;
import java.util.HashMap;
import java.util.Map;
import java.util.function.BiConsumer;

/**
 * An immutable hash map of which a changed copy is cheap: copies share a large base map and have a small overlay map of
 * changes. A read takes one or two hash look-ups. A change copies the overlay; when the overlay exceeds {@value
 * #OVERLAY_MAX} entries, {@link Editor#done} merges it into a copy of the base. Values must not be null.
 */
public final class SnapshotMap<K, V> {
    /** The most entries of an overlay. */
    private static final int OVERLAY_MAX = 512;
    /** The value in an overlay for a removed key. */
    private static final Object REMOVED = new Object();
    private static final SnapshotMap<?, ?> EMPTY = new SnapshotMap<>(Map.of(), Map.of(), 0);

    private final Map<K, V> base;
    private final Map<K, Object> overlay;
    private final int size;

    private SnapshotMap(Map<K, V> base, Map<K, Object> overlay, int size) {
        this.base = base;
        this.overlay = overlay;
        this.size = size;
    }

    @SuppressWarnings("unchecked")
    public static <K, V> SnapshotMap<K, V> empty() {
        return (SnapshotMap<K, V>) EMPTY;
    }

    /** Returns the value of a key; null if the key is absent. */
    @SuppressWarnings("unchecked")
    public @Nullable V get(K key) {
        if (!overlay.isEmpty()) {
            Object changed = overlay.get(key);
            if (changed != null) {
                return changed == REMOVED ? null : (V) changed;
            }
        }
        return base.get(key);
    }

    public int size() {
        return size;
    }

    /** Calls {@code action} for each entry, in any order. */
    @SuppressWarnings("unchecked")
    public void forEach(BiConsumer<K, V> action) {
        base.forEach((key, value) -> {
            if (!overlay.containsKey(key)) {
                action.accept(key, value);
            }
        });
        overlay.forEach((key, value) -> {
            if (value != REMOVED) {
                action.accept(key, (V) value);
            }
        });
    }

    public Editor<K, V> edit() {
        return new Editor<>(this);
    }

    /** Builds a changed copy. Not thread-safe; {@link #done} may be called once. */
    public static final class Editor<K, V> {
        private final SnapshotMap<K, V> from;
        private @Nullable Map<K, Object> overlay;
        private int size;

        private Editor(SnapshotMap<K, V> from) {
            this.from = from;
            this.size = from.size;
        }

        /** Returns the present value of a key; null if the key is absent. */
        @SuppressWarnings("unchecked")
        public @Nullable V get(K key) {
            Object changed = overlay == null ? null : overlay.get(key);
            if (changed != null) {
                return changed == REMOVED ? null : (V) changed;
            }
            return overlay == null ? from.get(key) : from.base.get(key);
        }

        public void put(K key, V value) {
            if (get(key) == null) {
                size++;
            }
            overlay().put(key, value);
        }

        public void remove(K key) {
            if (get(key) != null) {
                size--;
                overlay().put(key, REMOVED);
            }
        }

        private Map<K, Object> overlay() {
            if (overlay == null) {
                overlay = new HashMap<>(from.overlay);
            }
            return overlay;
        }

        /** Returns the changed map; the original one if there was no change. */
        @SuppressWarnings("unchecked")
        public SnapshotMap<K, V> done() {
            if (overlay == null) {
                return from;
            }
            if (overlay.size() <= OVERLAY_MAX) {
                return new SnapshotMap<>(from.base, overlay, size);
            }
            var merged = new HashMap<K, V>(from.base);
            overlay.forEach((key, value) -> {
                if (value == REMOVED) {
                    merged.remove(key);
                } else {
                    merged.put(key, (V) value);
                }
            });
            return new SnapshotMap<>(merged, Map.of(), merged.size());
        }
    }
}
