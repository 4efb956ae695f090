package io.berth.scheduler.host.registry.snapshot;

import jakarta.annotation.Nullable;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * A cache with a maximum number of entries, which evicts the least recently used entry. Thread-safe.
 *
 * @param <K> immutable, with {@code equals} and {@code hashCode}
 * @param <V> immutable
 */
final class LruCache<K, V> {
    /** Entries, the least recently used first. Guarded by this. */
    private final Map<K, V> values;

    LruCache(int countMax) {
        values = new LinkedHashMap<>(16, 0.75f, true) {
            @Override
            protected boolean removeEldestEntry(Map.Entry<K, V> eldest) {
                return size() > countMax;
            }
        };
    }

    /** Returns null if the key is not stored, or was evicted. */
    synchronized @Nullable V find(K key) {
        return values.get(key);
    }

    /** Stores or replaces the value. */
    synchronized void keep(K key, V value) {
        values.put(key, value);
    }
}
