package io.berth.scheduler.host.registry.snapshot;

import io.berth.scheduler.host.registry.Collection;
import io.berth.scheduler.host.registry.RegistryRecord;
import io.berth.scheduler.host.registry.snapshot.RegistryLayers.Layer;
import jakarta.annotation.Nullable;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.function.Consumer;

/** Layers made into one registry; what did not change since the last time stays the same object. Any thread may call. */
final class JoinedRegistry {
    private List<Layer> held = List.of();
    private RegistrySnapshot joined;

    JoinedRegistry(long instanceBytesMax) {
        joined = RegistrySnapshot.ofAllHosts(instanceBytesMax);
    }

    /** Cost: what changed, and a little for each layer. */
    synchronized RegistrySnapshot of(RegistryLayers now) {
        boolean isRoomAgain = joined.instancesHaveRoomAgain();
        Map<Collection, Map<UUID, RegistryRecord>> changes = new EnumMap<>(Collection.class);
        for (Collection collection : Collection.values()) {
            Map<UUID, RegistryRecord> changed = new HashMap<>();
            Consumer<UUID> note = uuid -> changed.put(uuid, find(now.layers(), collection, uuid));
            for (Layer layer : now.layers()) {
                RegistrySnapshot before = isRoomAgain && collection == Collection.INSTANCES
                        ? RegistrySnapshot.EMPTY
                        : of(before(layer), collection);
                of(layer, collection).forEachChanged(collection, before, note);
            }
            // Whole layers that are gone.
            Set<Object> names = Set.copyOf(now.layers().stream().map(Layer::name).toList());
            held.stream().filter(layer -> !names.contains(layer.name())).forEach(
                    gone -> RegistrySnapshot.EMPTY.forEachChanged(collection, of(gone, collection), note));
            if (!changed.isEmpty()) {
                changes.put(collection, changed);
            }
        }
        held = now.layers();
        joined = (isRoomAgain ? joined.withRoomTried() : joined)
                .after(changes, now.asOf())
                .lackingInstances(now.layers().stream()
                        .anyMatch(layer -> of(layer, Collection.INSTANCES).instancesAreFull()));
        return joined;
    }

    private @Nullable RegistryRecord find(List<Layer> layers, Collection collection, UUID uuid) {
        for (Layer layer : layers) {
            RegistryRecord record = of(layer, collection).find(collection, uuid);
            if (record != null) {
                return record;
            }
        }
        return null;
    }

    private @Nullable Layer before(Layer layer) {
        return held.stream().filter(was -> was.name().equals(layer.name())).findFirst().orElse(null);
    }

    private static RegistrySnapshot of(@Nullable Layer layer, Collection collection) {
        return layer == null || !layer.counts(collection) ? RegistrySnapshot.EMPTY : layer.registry();
    }
}
