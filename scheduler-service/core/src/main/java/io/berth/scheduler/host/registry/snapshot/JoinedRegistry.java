package io.berth.scheduler.host.registry.snapshot;

import io.berth.scheduler.host.registry.RecordCollection;
import io.berth.scheduler.host.registry.RegistryRecord;
import io.berth.scheduler.host.registry.snapshot.RegistryLayers.Layer;
import jakarta.annotation.Nullable;
import java.time.Duration;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import org.jboss.logging.Logger;

/**
 * Merges the {@linkplain RegistryLayers layers} of a foreign registry source, such as nova's cells, and Berth's own
 * records into one registry. Merges incrementally: records that did not change since the last merge stay the same
 * objects. Thread-safe.
 */
final class JoinedRegistry {
    /** Maximum changed records of a merge that may run on an event loop, where it takes one or two milliseconds. */
    private static final int QUICK_MAX = 1_000;

    private static final Logger LOG = Logger.getLogger(JoinedRegistry.class);

    private final ReentrantLock lock = new ReentrantLock();
    private volatile List<Layer> lastLayers = List.of();
    private volatile RegistrySnapshot joined;

    /**
     * @param instanceBytesMax limit of the instances' heap bytes
     * @param buildsCounted how long an instance that only Berth's own records (the lowest layer) contain counts as a
     *     build on its host; zero: not at all
     */
    JoinedRegistry(long instanceBytesMax, Duration buildsCounted) {
        joined = RegistrySnapshot.ofAllHosts(instanceBytesMax)
                .withOwnBuilds(OwnBuilds.countedFor(buildsCounted));
    }

    /**
     * Returns whether {@link #of(RegistryLayers)} may run on an event loop: few records changed, estimated from each
     * layer's counts of instances and compute nodes; no omitted instances are to be added; and no other thread is
     * merging.
     */
    boolean isQuick(RegistryLayers current) {
        Map<Object, Integer> counts = new HashMap<>();
        current.layers().forEach(layer -> counts.merge(layer.name(), count(layer), Integer::sum));
        lastLayers.forEach(layer -> counts.merge(layer.name(), -count(layer), Integer::sum));
        return counts.values().stream().mapToLong(Math::abs).sum() <= QUICK_MAX
                && !joined.hasRoomForOmittedInstances()
                && !lock.isLocked();
    }

    private static int count(Layer layer) {
        return of(layer, RecordCollection.INSTANCES).instanceCount()
                + of(layer, RecordCollection.COMPUTE_NODES).computeNodeCount();
    }

    /**
     * Merges the layers. The cost grows with the number of layers and of changed records, not of all records, unless
     * omitted instances can be added again: then all instances are merged.
     */
    RegistrySnapshot of(RegistryLayers current) {
        lock.lock();
        try {
            return merge(current);
        } finally {
            lock.unlock();
        }
    }

    private RegistrySnapshot merge(RegistryLayers current) {
        boolean hasRoomAgain = joined.hasRoomForOmittedInstances();
        Map<RecordCollection, Map<UUID, RegistryRecord>> changes = new EnumMap<>(RecordCollection.class);
        for (RecordCollection collection : RecordCollection.values()) {
            Map<UUID, RegistryRecord> changed = new HashMap<>();
            Consumer<UUID> addChange = uuid -> changed.put(uuid, find(current.layers(), collection, uuid));
            for (Layer layer : current.layers()) {
                of(layer, collection).forEachChanged(collection, of(lastLayerOf(layer), collection), addChange);
                if (hasRoomAgain && collection == RecordCollection.INSTANCES) {
                    of(layer, collection).forEach(collection, addChange);
                }
            }
            // Removes the records of layers that no longer exist.
            Set<Object> names = Set.copyOf(current.layers().stream().map(Layer::name).toList());
            lastLayers.stream().filter(layer -> !names.contains(layer.name())).forEach(
                    gone -> RegistrySnapshot.EMPTY.forEachChanged(collection, of(gone, collection), addChange));
            if (!changed.isEmpty()) {
                changes.put(collection, changed);
            }
        }
        // At the first merge, and when omitted instances are added, an instance that is new here may be an old one.
        Set<UUID> placedInstances = lastLayers.isEmpty() || hasRoomAgain
                ? Set.of()
                : changes.getOrDefault(RecordCollection.INSTANCES, Map.of()).keySet();
        lastLayers = current.layers();
        RegistrySnapshot before = joined;
        joined = (hasRoomAgain ? joined.withoutFullMark() : joined)
                .after(changes, current.asOf())
                .withLacksInstances(current.layers().stream()
                        .anyMatch(layer -> of(layer, RecordCollection.INSTANCES).hasOmittedInstances()))
                .withSource(SourceFacts.joined(
                        current.layers().stream().map(layer -> layer.registry().source()).toList()));
        // All layers but the last, which has Berth's own records.
        List<Layer> sourceLayers = current.layers().subList(0, Math.max(0, current.layers().size() - 1));
        joined = joined.withOwnBuilds(before.ownBuilds().after(
                before, joined, placedInstances, uuid -> find(sourceLayers, RecordCollection.INSTANCES, uuid) != null,
                System.nanoTime()));
        warnOfBreaches(changes, before);
        return joined;
    }

    /** Logs violations of the rules for host names, because records that nova has written cannot be refused. */
    private void warnOfBreaches(Map<RecordCollection, Map<UUID, RegistryRecord>> changes, RegistrySnapshot before) {
        changes.values().stream().flatMap(changed -> changed.values().stream()).filter(Objects::nonNull)
                .forEach(record -> {
                    String breach = HostNameRules.findBreach(record, before, joined);
                    if (breach != null) {
                        LOG.warnf("host names in nova's records violate a rule: %s", breach);
                    }
                });
    }

    /** Returns the record of the first layer that has it; null if none has. */
    private @Nullable RegistryRecord find(List<Layer> layers, RecordCollection collection, UUID uuid) {
        for (Layer layer : layers) {
            RegistryRecord record = of(layer, collection).find(collection, uuid);
            if (record != null) {
                return record;
            }
        }
        return null;
    }

    /** Returns the layer with the same name in the last merge; null for a new layer. */
    private @Nullable Layer lastLayerOf(Layer layer) {
        return lastLayers.stream().filter(lastLayer -> lastLayer.name().equals(layer.name())).findFirst().orElse(null);
    }

    /** Returns the layer's registry; an empty one if the layer is null or does not count for the collection. */
    private static RegistrySnapshot of(@Nullable Layer layer, RecordCollection collection) {
        return layer == null || !layer.counts(collection) ? RegistrySnapshot.EMPTY : layer.registry();
    }
}
