package io.berth.scheduler.host.registry.snapshot;

import jakarta.annotation.Nullable;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Immutable values that were used last, by key: bounded in number. For several threads.
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

    /** Returns null when it was never kept, or had to make room. */
    synchronized @Nullable V find(K key) {
        return values.get(key);
    }

    /** Replaces what the key has. */
    synchronized void keep(K key, V value) {
        values.put(key, value);
    }
}
