package io.berth.deploy.migration.plan;

import io.berth.deploy.migration.state.Consumer;
import io.berth.deploy.migration.state.Consumer.Place;
import io.berth.deploy.migration.state.Inventory;
import io.berth.deploy.migration.state.PlacementState;
import io.berth.deploy.migration.state.Provider;
import io.berth.model.Maps;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.UUID;

/**
 * The changes of inventories, in two steps: before the allocations are written, and after.
 *
 * <p>The first step sets the source's inventories, except those that might refuse a write, which become {@link
 * Inventory#BOUNDLESS} until the second step. An inventory of the source would refuse allocations that exceed a
 * capacity that was lowered after the allocation, and allocations that no longer fit min_unit, max_unit or step_size.
 * It would also refuse to move a consumer to a full provider before another consumer has left that provider.
 * Inventories that only the target has stay in this step.
 *
 * <p>The second step sets the source's values, which a Placement accepts whatever is used. It also removes the
 * inventories that the source does not have, except those that consumers still use: consumers that only the target has
 * and that are not removed.
 *
 * @param interim all inventories of each provider in the first step, by resource class; only providers whose
 *         inventories then differ from the target's present ones
 * @param finalInventories all inventories of each provider in the second step; only providers whose inventories then
 *         differ from the first step
 */
record InventoryPlan(
        Map<UUID, SortedMap<String, Inventory>> interim, Map<UUID, SortedMap<String, Inventory>> finalInventories) {
    /**
     * Plans the inventories.
     *
     * @param changed consumers of the source that will be written
     * @param keptConsumers consumers that only the target has, and that will not be removed
     */
    static InventoryPlan of(
            PlacementState source, PlacementState target, Collection<UUID> changed, Set<UUID> keptConsumers) {
        // For each place (a resource class of a provider), the most units that can be allocated at the same time while
        // consumers are written.
        Map<Place, Long> peakUnits = new HashMap<>();
        source.consumers().values().forEach(consumer -> add(peakUnits, consumer));
        Set<Place> keptPlaces = new HashSet<>();
        for (UUID uuid : keptConsumers) {
            Consumer consumer = Maps.require(target.consumers(), uuid);
            add(peakUnits, consumer);
            consumer.forEachAmount((place, _) -> keptPlaces.add(place));
        }
        // The old allocations of a changed consumer may still exist in the target when another consumer is written.
        changed.stream().map(target.consumers()::get).filter(consumer -> consumer != null)
                .forEach(consumer -> add(peakUnits, consumer));
        Set<Place> refusingPlaces = new HashSet<>();
        for (UUID uuid : changed) {
            Maps.require(source.consumers(), uuid).forEachAmount((place, units) -> {
                Provider provider = source.providers().get(place.provider());
                Inventory inventory = provider == null ? null : provider.inventories().get(place.resourceClass());
                if (inventory != null
                        && (!inventory.allows(units) || Maps.require(peakUnits, place) > inventory.capacity())) {
                    refusingPlaces.add(place);
                }
            });
        }
        Map<UUID, SortedMap<String, Inventory>> interim = new HashMap<>();
        Map<UUID, SortedMap<String, Inventory>> finalInventories = new HashMap<>();
        source.providers().forEach((uuid, provider) -> {
            Provider targetProvider = target.providers().get(uuid);
            SortedMap<String, Inventory> present =
                    targetProvider == null ? new TreeMap<>() : targetProvider.inventories();
            SortedMap<String, Inventory> whileWriting = new TreeMap<>(present);
            SortedMap<String, Inventory> afterWriting = new TreeMap<>(present);
            afterWriting.keySet().removeIf(name -> !keptPlaces.contains(new Place(uuid, name)));
            provider.inventories().forEach((name, inventory) -> {
                whileWriting.put(name,
                        refusingPlaces.contains(new Place(uuid, name)) ? Inventory.BOUNDLESS : inventory);
                afterWriting.put(name, inventory);
            });
            if (!whileWriting.equals(present)) {
                interim.put(uuid, whileWriting);
            }
            if (!afterWriting.equals(whileWriting)) {
                finalInventories.put(uuid, afterWriting);
            }
        });
        return new InventoryPlan(interim, finalInventories);
    }

    private static void add(Map<Place, Long> units, Consumer consumer) {
        consumer.forEachAmount((place, amount) -> units.merge(place, amount, Long::sum));
    }
}
