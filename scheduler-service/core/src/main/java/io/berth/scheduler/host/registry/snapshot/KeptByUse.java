package io.berth.scheduler.host.registry.snapshot;

import jakarta.annotation.Nullable;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * A cache of immutable values by key, evicting the least recently used; bounded in number. Thread-safe.
 *
 * @param <K> with equality by value
 */
final class KeptByUse<K, V> {
    /** Guarded by this; least recently used first. */
    private final Map<K, V> values;

    KeptByUse(int countMax) {
        values = new LinkedHashMap<>(16, 0.75f, true) {
            @Override
            protected boolean removeEldestEntry(Map.Entry<K, V> eldest) {
                return size() > countMax;
            }
        };
    }

    /** Returns null if it was never stored, or was evicted. */
    synchronized @Nullable V find(K key) {
        return values.get(key);
    }

    /** Stores or replaces the value. */
    synchronized void keep(K key, V value) {
        values.put(key, value);
    }
}
