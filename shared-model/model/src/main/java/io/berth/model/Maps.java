package io.berth.model;

import java.util.Map;
import java.util.NoSuchElementException;

/** Looks up keys that a map must contain. */
public final class Maps {
    private Maps() {}

    /** Returns the value of a key. Throws NoSuchElementException if the map lacks the key, which is a bug. */
    public static <K, V> V require(Map<K, V> map, K key) {
        V value = map.get(key);
        if (value == null) {
            throw new NoSuchElementException("no value for " + key);
        }
        return value;
    }
}
