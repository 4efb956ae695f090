package io.berth.placement.ledger.claim;

import io.berth.placement.fleet.Inventory;
import jakarta.annotation.Nullable;
import java.util.Map;
import java.util.UUID;

/**
 * The rows that a batch has locked and read, the input of {@link ClaimRules}. Before the batch ends, no other
 * transaction can change the consumers, allocations, providers and inventories; resource classes are not locked.
 *
 * @param holdings the state of consumers, by uuid; a consumer without an entry had no row before the batch, and holds
 *         nothing
 * @param tombstones the stored fences of consumers without a row, by uuid
 * @param providers the providers that claims name, and those of the holdings, by uuid; a provider without an entry does
 *         not exist
 * @param resourceClassIds the ids of the resource classes that claims name, and of those that settled consumers hold,
 *         by name; of all classes if a claim is a reshape. A class without an entry does not exist
 */
public record LockedRows(
        Map<UUID, Holding> holdings,
        Map<UUID, Fence> tombstones,
        Map<UUID, LockedProvider> providers,
        Map<String, Integer> resourceClassIds) {

    /**
     * A consumer and its allocations.
     *
     * @param consumer the consumer's row; null if it has none although it has allocations, as after a partial restore
     * @param allocations units by provider and class; empty also if they were not read, because every claim expects the
     *         consumer to be new
     */
    public record Holding(@Nullable Consumer consumer, Map<AllocationKey, Long> allocations) {}

    /**
     * A locked provider.
     *
     * @param inventories the inventories by resource class id
     * @param unaccounted units of allocations without an inventory, by resource class id, as after a partial restore;
     *         read only if a reshape may add inventories to this provider, otherwise empty
     */
    public record LockedProvider(
            long id, UUID uuid, int generation,
            Map<Integer, LockedInventory> inventories, Map<Integer, Long> unaccounted) {}

    /**
     * An inventory and its use.
     *
     * @param used the sum of all allocations of the inventory, in units
     */
    public record LockedInventory(Inventory terms, long used) {}
}
