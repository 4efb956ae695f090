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
 * The changes of inventories, in two steps: before allocations are written, and after. The target would refuse some
 * allocations of the source under the source's inventories: those that exceed a capacity that was lowered later, and
 * those that no longer fit min_unit, max_unit or step_size. It would also refuse a consumer that moves to a provider
 * before another consumer has left it. An inventory that would refuse a write is therefore {@link Inventory#BOUNDLESS}
 * in the first step. The second step sets the source's values, which a Placement accepts whatever is used. An inventory
 * that the source does not have is removed in the second step, when no allocation uses it.
 *
 * @param interim all inventories of each provider in the first step, by resource class; only providers that differ from
 *         the target's present state
 * @param last all inventories of each provider in the second step; only providers that differ from the first step
 */
record InventoryPlan(Map<UUID, SortedMap<String, Inventory>> interim, Map<UUID, SortedMap<String, Inventory>> last) {
    /**
     * @param changed consumers of the source that will be written
     * @param keptConsumers consumers that only the target has, and that will not be removed
     */
    static InventoryPlan of(
            PlacementState source, PlacementState target, Collection<UUID> changed, Set<UUID> keptConsumers) {
        Map<Place, Long> peak = new HashMap<>();
        source.consumers().values().forEach(consumer -> add(peak, consumer));
        Set<Place> keptPlaces = new HashSet<>();
        for (UUID uuid : keptConsumers) {
            Consumer consumer = target.consumers().get(uuid);
            add(peak, consumer);
            consumer.forEachAmount((place, _) -> keptPlaces.add(place));
        }
        // A consumer's old allocations may still exist in the target when another consumer is written.
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
