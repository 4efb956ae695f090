package io.berth.placement.ledger.claim;

import io.berth.placement.fleet.Inventory;
import jakarta.annotation.Nullable;
import java.util.Map;
import java.util.UUID;

/**
 * The rows that a batch has locked and read: all input of {@link ClaimRules}. No other transaction can change them
 * before the batch ends.
 *
 * @param holdings by consumer; a consumer without an entry does not exist and holds nothing
 * @param tombstones fences of consumers without a row; a consumer without an entry has none
 * @param providers by uuid, the providers that claims name and those of the holdings; one without an entry does not
 *         exist
 * @param resourceClassIds by name, the classes that claims name and those that settled consumers hold; one without an
 *         entry does not exist
 */
public record LockedRows(
        Map<UUID, Holding> holdings,
        Map<UUID, Fence> tombstones,
        Map<UUID, LockedProvider> providers,
        Map<String, Integer> resourceClassIds) {

    /**
     * A consumer and all its allocations.
     *
     * @param consumer null if it does not exist although it has allocations, as after a partial restore
     * @param allocations units by provider and class; also empty if they were not read, because every claim expects the
     *         consumer to be new
     */
    public record Holding(@Nullable Consumer consumer, Map<AllocationKey, Long> allocations) {}

    /**
     * @param inventories by resource class id
     * @param unaccounted units allocated without an inventory, by resource class id, as after a partial restore; read
     *         only if a reshape may add the inventory, otherwise empty
     */
    public record LockedProvider(
            long id, UUID uuid, int generation, Map<Integer, LockedInventory> inventories, Map<Integer, Long> unaccounted) {}

    /**
     * One inventory and its use.
     *
     * @param used sum of all allocations, in units
     */
    public record LockedInventory(Inventory terms, long used) {}
}
