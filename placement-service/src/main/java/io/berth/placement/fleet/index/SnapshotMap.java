package io.berth.placement.fleet.index;

import java.util.HashMap;
import java.util.Map;
import java.util.function.BiConsumer;

/**
 * An immutable hash map with cheap changed copies: they share a large base, and only a small overlay is copied. Reading
 * costs one or two hash look-ups; {@link Editor#done} costs the overlay's size, and the base's size once in a while.
 */
public final class SnapshotMap<K, V> {
    private static final int OVERLAY_MAX = 512;
    private static final Object GONE = new Object();
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

    /** Returns null if the key is absent. */
    @SuppressWarnings("unchecked")
    public V get(K key) {
        if (!overlay.isEmpty()) {
            Object changed = overlay.get(key);
            if (changed != null) {
                return changed == GONE ? null : (V) changed;
            }
        }
        return base.get(key);
    }

    public int size() {
        return size;
    }

    /** Visits the entries in no particular order. */
    @SuppressWarnings("unchecked")
    public void forEach(BiConsumer<K, V> action) {
        base.forEach((key, value) -> {
            if (!overlay.containsKey(key)) {
                action.accept(key, value);
            }
        });
        overlay.forEach((key, value) -> {
            if (value != GONE) {
                action.accept(key, (V) value);
            }
        });
    }

    public Editor<K, V> edit() {
        return new Editor<>(this);
    }

    /** Gathers changes for one new map. Not thread-safe; used once. */
    public static final class Editor<K, V> {
        private final SnapshotMap<K, V> from;
        private Map<K, Object> overlay;
        private int size;

        private Editor(SnapshotMap<K, V> from) {
            this.from = from;
            this.size = from.size;
        }

        /** Returns null if the key is absent. */
        @SuppressWarnings("unchecked")
        public V get(K key) {
            Object changed = overlay == null ? null : overlay.get(key);
            if (changed != null) {
                return changed == GONE ? null : (V) changed;
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
                overlay().put(key, GONE);
            }
        }

        private Map<K, Object> overlay() {
            if (overlay == null) {
                overlay = new HashMap<>(from.overlay);
            }
            return overlay;
        }

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
                if (value == GONE) {
                    merged.remove(key);
                } else {
                    merged.put(key, (V) value);
                }
            });
            return new SnapshotMap<>(merged, Map.of(), merged.size());
        }
    }
}
