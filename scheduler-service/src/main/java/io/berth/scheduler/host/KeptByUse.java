package io.berth.scheduler.host;

import jakarta.annotation.Nullable;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.ToIntFunction;

/**
 * Immutable values that were used last, by key: bounded in number and in weight, so that no stream of requests fills
 * the memory. For several threads.
 *
 * @param <K> with equality by value
 */
public final class KeptByUse<K, V> {
    private final int countMax;
    private final long weightMax;
    private final ToIntFunction<V> weigh;
    /** Guarded by this; least recently used first. */
    private final Map<K, V> values = new LinkedHashMap<>(16, 0.75f, true);

    private long weight;

    /** @param weigh the same for a value at all times; a value heavier than {@code weightMax} alone is not kept */
    public KeptByUse(int countMax, long weightMax, ToIntFunction<V> weigh) {
        this.countMax = countMax;
        this.weightMax = weightMax;
        this.weigh = weigh;
    }

    /** Null when it was never kept, or had to make room. */
    public synchronized @Nullable V find(K key) {
        return values.get(key);
    }

    /** Replaces what the key has. */
    public synchronized void keep(K key, V value) {
        V replaced = values.put(key, value);
        weight += weigh.applyAsInt(value) - (replaced == null ? 0 : weigh.applyAsInt(replaced));
        Iterator<V> eldest = values.values().iterator();
        while (values.size() > countMax || weight > weightMax) {
            weight -= weigh.applyAsInt(eldest.next());
            eldest.remove();
        }
    }

    public synchronized int size() {
        return values.size();
    }
}
