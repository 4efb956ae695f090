package io.berth.placement.ledger.claim;

import io.berth.placement.fleet.Inventory;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;

/**
 * The changes that all accepted claims of a batch together make to rows. Each changed row has one entry, with its final
 * state.
 *
 * @param consumers the row, after the batch, of each consumer that an accepted claim changes, by uuid; empty if the row
 *         is deleted
 * @param tombstones the fences to store for consumers that have no row after the batch, by uuid
 * @param removedAllocations the allocations to delete, by consumer
 * @param newAllocations the allocations to insert, by consumer: units by provider and class
 * @param keptAllocations the allocations to update, by consumer: units by provider and class. An accepted claim updates
 *         them even if the units are the same
 * @param usedChanges the units to add to the use of inventories that exist before and after the batch; may be negative,
 *         never 0
 * @param newInventories the inventories to insert; their use is the sum of the allocations after the batch
 * @param changedInventories the inventories to update, without their use
 * @param removedInventories the inventories to delete
 * @param generationRises by how much the generation of a provider rises, at least 1, by provider id
 * @param changedProviders the ids of all providers whose generation, inventories or use changes
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

    /**
     * Returns whether there is nothing to write. A change of allocations or inventories always changes a consumer or
     * provider, too.
     */
    public boolean isNothing() {
        return consumers.isEmpty() && tombstones.isEmpty() && generationRises.isEmpty() && changedProviders.isEmpty();
    }
}
