package io.berth.scheduler.host.registry.snapshot;

import io.berth.scheduler.host.registry.Collection;
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
 * Merges the layers of a foreign registry source and Berth's own records into one registry. Merges incrementally:
 * records that did not change since the last merge stay the same objects. Thread-safe.
 */
final class JoinedRegistry {
    /** Maximum changed records of a merge that may run on an event loop; it takes one or two milliseconds. */
    private static final int QUICK_MAX = 1_000;

    private static final Logger LOG = Logger.getLogger(JoinedRegistry.class);

    private final ReentrantLock lock = new ReentrantLock();
    private volatile List<Layer> held = List.of();
    private volatile RegistrySnapshot joined;

    /**
     * @param instanceBytesMax limit of the instances' heap bytes
     * @param buildsCounted how long a build counts that only Berth's own records (the lowest layer) contain; zero: not
     *     at all
     */
    JoinedRegistry(long instanceBytesMax, Duration buildsCounted) {
        joined = RegistrySnapshot.ofAllHosts(instanceBytesMax)
                .withOwnBuilds(OwnBuilds.countedFor(buildsCounted));
    }

    /**
     * Returns whether {@link #of(RegistryLayers)} may run on an event loop: few records changed, estimated from the
     * counts of records, and no other thread is merging.
     */
    boolean isQuick(RegistryLayers now) {
        Map<Object, Integer> counts = new HashMap<>();
        now.layers().forEach(layer -> counts.merge(layer.name(), count(layer), Integer::sum));
        held.forEach(layer -> counts.merge(layer.name(), -count(layer), Integer::sum));
        return counts.values().stream().mapToLong(Math::abs).sum() <= QUICK_MAX
                && !joined.instancesHaveRoomAgain()
                && !lock.isLocked();
    }

    private static int count(Layer layer) {
        return of(layer, Collection.INSTANCES).instanceCount() + of(layer, Collection.COMPUTE_NODES).computeNodeCount();
    }

    /** Merges the layers. The cost grows with the number of changed records and of layers, not with that of records. */
    RegistrySnapshot of(RegistryLayers now) {
        lock.lock();
        try {
            return joined(now);
        } finally {
            lock.unlock();
        }
    }

    private RegistrySnapshot joined(RegistryLayers now) {
        boolean isRoomAgain = joined.instancesHaveRoomAgain();
        Map<Collection, Map<UUID, RegistryRecord>> changes = new EnumMap<>(Collection.class);
        for (Collection collection : Collection.values()) {
            Map<UUID, RegistryRecord> changed = new HashMap<>();
            Consumer<UUID> note = uuid -> changed.put(uuid, find(now.layers(), collection, uuid));
            for (Layer layer : now.layers()) {
                of(layer, collection).forEachChanged(collection, of(before(layer), collection), note);
                if (isRoomAgain && collection == Collection.INSTANCES) {
                    of(layer, collection).forEach(collection, note);
                }
            }
            // Removes the records of layers that no longer exist.
            Set<Object> names = Set.copyOf(now.layers().stream().map(Layer::name).toList());
            held.stream().filter(layer -> !names.contains(layer.name())).forEach(
                    gone -> RegistrySnapshot.EMPTY.forEachChanged(collection, of(gone, collection), note));
            if (!changed.isEmpty()) {
                changes.put(collection, changed);
            }
        }
        // At the first merge, and when omitted instances are added, new instances may be old ones, not builds.
        Set<UUID> placed = held.isEmpty() || isRoomAgain
                ? Set.of()
                : changes.getOrDefault(Collection.INSTANCES, Map.of()).keySet();
        held = now.layers();
        RegistrySnapshot before = joined;
        joined = (isRoomAgain ? joined.withRoomTried() : joined)
                .after(changes, now.asOf())
                .lackingInstances(now.layers().stream()
                        .anyMatch(layer -> of(layer, Collection.INSTANCES).instancesAreFull()))
                .withSource(SourceFacts.joined(now.layers().stream().map(layer -> layer.registry().source()).toList()));
        List<Layer> upper = now.layers().subList(0, Math.max(0, now.layers().size() - 1));
        joined = joined.withOwnBuilds(before.ownBuilds().after(
                before, joined, placed, uuid -> find(upper, Collection.INSTANCES, uuid) != null, System.nanoTime()));
        warn(changes, before);
        return joined;
    }

    /** Logs violations of the rules for host names, because records that nova has written cannot be refused. */
    private void warn(Map<Collection, Map<UUID, RegistryRecord>> changes, RegistrySnapshot before) {
        changes.values().stream().flatMap(changed -> changed.values().stream()).filter(Objects::nonNull)
                .forEach(record -> {
                    String breach = HostNameRules.findBreach(record, before, joined);
                    if (breach != null) {
                        LOG.warnf("names of hosts do not agree: %s", breach);
                    }
                });
    }

    /** Returns the record of the first layer that has it; null if none has. */
    private @Nullable RegistryRecord find(List<Layer> layers, Collection collection, UUID uuid) {
        for (Layer layer : layers) {
            RegistryRecord record = of(layer, collection).find(collection, uuid);
            if (record != null) {
                return record;
            }
        }
        return null;
    }

    /** Returns the layer with the same name in the last merge; null for a new layer. */
    private @Nullable Layer before(Layer layer) {
        return held.stream().filter(was -> was.name().equals(layer.name())).findFirst().orElse(null);
    }

    /** Returns the layer's registry; an empty one if the layer is null or does not count for the collection. */
    private static RegistrySnapshot of(@Nullable Layer layer, Collection collection) {
        return layer == null || !layer.counts(collection) ? RegistrySnapshot.EMPTY : layer.registry();
    }
}
