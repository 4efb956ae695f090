package io.berth.placement.ledger.claim;

import io.berth.placement.fleet.Inventory;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;

/**
 * The changes of all accepted claims of a batch together, one entry per row, without intermediate states.
 *
 * @param consumers the row after the batch of each consumer that an accepted claim names; empty if it existed before
 *         and is deleted
 * @param tombstones fences of consumers that have no row afterwards and had one before, or were settled
 * @param removedAllocations by consumer, rows that are removed
 * @param newAllocations by consumer, units by provider and class: rows that the consumer has afterwards and had not
 *         before
 * @param keptAllocations by consumer, units by provider and class: rows that the consumer had before and has
 *         afterwards; an accepted claim rewrites them even if the units are the same
 * @param usedChanges by provider and class, units to add to the inventory's use (may be negative, never 0); only for
 *         inventories that exist before and afterwards
 * @param newInventories terms of new inventories; their use is the sum of the allocations afterwards
 * @param changedInventories new terms of inventories that exist before and afterwards
 * @param removedInventories inventories that are removed
 * @param generationRises by provider id, at least 1
 * @param changedProviders ids of all providers whose generation, inventories or use changed
 */
public record NetEffect(
        Map<UUID, Optional<Consumer>> consumers,
        Map<UUID, Fence> tombstones,
        Map<UUID, Set<AllocationKey>> removedAllocations,
        Map<UUID, Map<AllocationKey, Long>> newAllocations,
        Map<UUID, Map<AllocationKey, Long>> keptAllocations,
        Map<AllocationKey, Long> usedChanges,
        Map<AllocationKey, Inventory> newInventories,
        Map<AllocationKey, Inventory> changedInventories,
        Set<AllocationKey> removedInventories,
        Map<Long, Integer> generationRises,
        Set<Long> changedProviders) {

    public boolean isNothing() {
        return consumers.isEmpty() && tombstones.isEmpty() && generationRises.isEmpty() && changedProviders.isEmpty();
    }
}
