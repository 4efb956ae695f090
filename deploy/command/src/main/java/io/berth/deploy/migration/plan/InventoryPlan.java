package io.berth.deploy.migration.plan;

import io.berth.deploy.migration.state.Consumer.Place;
import io.berth.deploy.migration.state.Consumer;
import io.berth.deploy.migration.state.Inventory;
import io.berth.deploy.migration.state.PlacementState;
import io.berth.deploy.migration.state.Provider;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.UUID;

/**
 * Changes inventories in two steps. A Placement may hold allocations that it would refuse now: more than the capacity
 * after a ratio was lowered, amounts of another step or unit. And when consumers change places, one may arrive before
 * another has left. So if an inventory would refuse any of the writes, it is boundless while allocations are written,
 * and gets its final values afterwards, which a Placement allows at any use. A class that is removed keeps its
 * inventory until no allocation uses it.
 *
 * @param interim of providers for which it is not what the target has
 * @param last of providers for which it is not the interim one
 */
record InventoryPlan(Map<UUID, SortedMap<String, Inventory>> interim, Map<UUID, SortedMap<String, Inventory>> last) {
    /**
     * @param changed consumers of the source that are written
     * @param kept consumers that only the target has and that stay
     */
    static InventoryPlan of(PlacementState source, PlacementState target, Collection<UUID> changed, Set<UUID> kept) {
        Map<Place, Long> peak = new HashMap<>();
        source.consumers().values().forEach(consumer -> add(peak, consumer));
        Set<Place> keptPlaces = new HashSet<>();
        for (UUID uuid : kept) {
            Consumer consumer = target.consumers().get(uuid);
            add(peak, consumer);
            consumer.forEachAmount((place, _) -> keptPlaces.add(place));
        }
        // The old allocations of a consumer may still exist when others are written.
        changed.stream().map(target.consumers()::get).filter(consumer -> consumer != null)
                .forEach(consumer -> add(peak, consumer));
        Set<Place> refusing = new HashSet<>();
        for (UUID uuid : changed) {
            source.consumers().get(uuid).forEachAmount((place, units) -> {
                Provider provider = source.providers().get(place.provider());
                Inventory wanted = provider == null ? null : provider.inventories().get(place.resourceClass());
                if (wanted != null && (!wanted.allows(units) || peak.get(place) > wanted.capacity())) {
                    refusing.add(place);
                }
            });
        }
        Map<UUID, SortedMap<String, Inventory>> interim = new HashMap<>();
        Map<UUID, SortedMap<String, Inventory>> last = new HashMap<>();
        source.providers().forEach((uuid, provider) -> {
            Provider actual = target.providers().get(uuid);
            SortedMap<String, Inventory> now = actual == null ? new TreeMap<>() : actual.inventories();
            SortedMap<String, Inventory> during = new TreeMap<>(now);
            SortedMap<String, Inventory> afterwards = new TreeMap<>(now);
            afterwards.keySet().removeIf(name -> !keptPlaces.contains(new Place(uuid, name)));
            provider.inventories().forEach((name, wanted) -> {
                during.put(name, refusing.contains(new Place(uuid, name)) ? Inventory.BOUNDLESS : wanted);
                afterwards.put(name, wanted);
            });
            if (!during.equals(now)) {
                interim.put(uuid, during);
            }
            if (!afterwards.equals(during)) {
                last.put(uuid, afterwards);
            }
        });
        return new InventoryPlan(interim, last);
    }

    private static void add(Map<Place, Long> units, Consumer consumer) {
        consumer.forEachAmount((place, amount) -> units.merge(place, amount, Long::sum));
    }
}
