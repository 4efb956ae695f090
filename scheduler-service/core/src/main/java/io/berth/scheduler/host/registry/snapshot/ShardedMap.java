package io.berth.scheduler.host.registry.snapshot;

import jakarta.annotation.Nullable;
import java.util.AbstractMap;
import java.util.AbstractSet;
import java.util.Arrays;
import java.util.BitSet;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;

/**
 * An immutable map whose changed copies share all unchanged shards. A map begins with one shard, in insertion order.
 * The first change that could bring it above {@value #ONE_SHARD_MAX} entries divides it into many shards; from then on
 * it has no order, even if it gets smaller.
 *
 * @param <K> never null
 * @param <V> never null
 */
final class ShardedMap<K, V> extends AbstractMap<K, V> {
    /** Maximum entries of a map with one shard, which a change copies as a whole. */
    private static final int ONE_SHARD_MAX = 128;

    private static final int SHARD_COUNT = 2_048;
    private static final ShardedMap<?, ?> EMPTY = new ShardedMap<>(oneShard(Map.of()), 0);

    private final Map<K, V>[] shards;
    private final int size;

    private ShardedMap(Map<K, V>[] shards, int size) {
        this.shards = shards;
        this.size = size;
    }

    @SuppressWarnings("unchecked")
    static <K, V> ShardedMap<K, V> empty() {
        return (ShardedMap<K, V>) EMPTY;
    }

    @SuppressWarnings({"unchecked", "rawtypes"})
    private static <K, V> Map<K, V>[] oneShard(Map<K, V> entries) {
        return new Map[] {entries};
    }

    /** Returns a copy with these values; a null value removes its key. */
    ShardedMap<K, V> with(Map<K, V> changes) {
        if (changes.isEmpty()) {
            return this;
        }
        boolean mustSplit = shards.length == 1 && size + changes.size() > ONE_SHARD_MAX;
        Map<K, V>[] next = mustSplit ? split() : shards.clone();
        BitSet changed = new BitSet(next.length);
        int count = size;
        for (Map.Entry<K, V> change : changes.entrySet()) {
            int shard = shardOf(change.getKey(), next.length);
            if (!changed.get(shard)) {
                changed.set(shard);
                next[shard] = new LinkedHashMap<>(next[shard]);
            }
            V previous = change.getValue() == null
                    ? next[shard].remove(change.getKey())
                    : next[shard].put(change.getKey(), change.getValue());
            count += (change.getValue() == null ? 0 : 1) - (previous == null ? 0 : 1);
        }
        if (next.length > 1) {
            // Map.copyOf takes half the bytes of a LinkedHashMap, and loses the order.
            changed.stream().forEach(shard -> next[shard] = Map.copyOf(next[shard]));
        }
        return new ShardedMap<>(next, count);
    }

    @SuppressWarnings({"unchecked", "rawtypes"})
    private Map<K, V>[] split() {
        Map<K, V>[] split = new Map[SHARD_COUNT];
        Arrays.fill(split, Map.of());
        for (Map.Entry<K, V> entry : shards[0].entrySet()) {
            int shard = shardOf(entry.getKey(), SHARD_COUNT);
            if (split[shard].isEmpty()) {
                split[shard] = new LinkedHashMap<>();
            }
            split[shard].put(entry.getKey(), entry.getValue());
        }
        return split;
    }

    /**
     * Uses other bits of the hash than the hash table of the shard does, so that the entries of a shard do not collide.
     */
    private static int shardOf(Object key, int count) {
        return count == 1 ? 0 : (key.hashCode() * 0x9E3779B9 >>> 16) & (count - 1);
    }

    /**
     * Calls {@code changed} with keys whose value is another object than in {@code before}, and removed keys. Compares
     * all shards by identity, and iterates only over the entries of shards that differ.
     */
    void forEachChanged(ShardedMap<K, V> before, Consumer<K> changed) {
        if (this == before) {
            return;
        }
        boolean hasSameShardCount = shards.length == before.shards.length;
        for (int i = 0; i < shards.length; i++) {
            if (!hasSameShardCount || shards[i] != before.shards[i]) {
                shards[i].forEach((key, value) -> {
                    if (before.get(key) != value) {
                        changed.accept(key);
                    }
                });
            }
        }
        for (int i = 0; i < before.shards.length; i++) {
            if (!hasSameShardCount || shards[i] != before.shards[i]) {
                before.shards[i].keySet().stream().filter(key -> get(key) == null).forEach(changed);
            }
        }
    }

    @Override
    public @Nullable V get(Object key) {
        return shards[shardOf(key, shards.length)].get(key);
    }

    @Override
    public boolean containsKey(Object key) {
        return get(key) != null;
    }

    @Override
    public int size() {
        return size;
    }

    @Override
    public Set<Entry<K, V>> entrySet() {
        return new AbstractSet<>() {
            @Override
            public Iterator<Entry<K, V>> iterator() {
                return Arrays.stream(shards).flatMap(shard -> shard.entrySet().stream()).iterator();
            }

            @Override
            public int size() {
                return size;
            }
        };
    }
}
