package io.berth.scheduler.host.registry.snapshot;

import jakarta.annotation.Nullable;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.UUID;

/**
 * An immutable map by uuid for up to millions of entries, in shards of {@link UuidColumns}. Changed copies share all
 * unchanged shards: changing one entry of a million copies 18 KB.
 *
 * @param <V> never null
 */
final class UuidTable<V> {
    /**
     * A change copies the array of shards and one shard. With this count, the two take about as many bytes at a million
     * entries.
     */
    private static final int SHARD_COUNT = 2_048;

    private static final UuidTable<?> EMPTY = new UuidTable<>(noShards(), 0);

    private final UuidColumns<V>[] shards;
    private final int size;

    private UuidTable(UuidColumns<V>[] shards, int size) {
        this.shards = shards;
        this.size = size;
    }

    @SuppressWarnings("unchecked")
    static <V> UuidTable<V> empty() {
        return (UuidTable<V>) EMPTY;
    }

    @SuppressWarnings({"unchecked", "rawtypes"})
    private static <V> UuidColumns<V>[] noShards() {
        UuidColumns<V>[] none = new UuidColumns[SHARD_COUNT];
        Arrays.fill(none, UuidColumns.empty());
        return none;
    }

    int size() {
        return size;
    }

    /** Returns null if the table does not have the uuid. */
    @Nullable V find(UUID uuid) {
        return shards[shardOf(uuid)].find(uuid);
    }

    /** Returns a changed copy; a null value removes its key. */
    UuidTable<V> with(Map<UUID, V> changes) {
        Map<Integer, Map<UUID, V>> byShard = new HashMap<>();
        changes.forEach(
                (uuid, value) -> byShard.computeIfAbsent(shardOf(uuid), _ -> new HashMap<>()).put(uuid, value));
        UuidColumns<V>[] next = shards.clone();
        int count = size;
        for (Map.Entry<Integer, Map<UUID, V>> shard : byShard.entrySet()) {
            UuidColumns<V> before = shards[shard.getKey()];
            UuidColumns<V> after = before.with(shard.getValue());
            next[shard.getKey()] = after;
            count += after.size() - before.size();
        }
        return new UuidTable<>(next, count);
    }

    /** Returns the shard of a uuid. The multiplication distributes consecutive uuids as evenly as random uuids. */
    private static int shardOf(UUID uuid) {
        return (uuid.hashCode() * 0x9E3779B9 >>> 16) & (SHARD_COUNT - 1);
    }
}
