package io.berth.placement.ledger.claim;

import io.berth.placement.fleet.Inventory;
import jakarta.annotation.Nullable;
import java.util.Map;
import java.util.UUID;

/**
 * The rows that a batch has locked and read: all input of {@link ClaimRules}. No other transaction can change them
 * before the batch ends.
 *
 * @param holdings by consumer; a missing one does not exist and holds nothing
 * @param tombstones fences of consumers without a row; a missing one has none
 * @param providers by uuid, those named by claims and those of the holdings; a missing one does not exist
 * @param resourceClassIds by name, those named by claims and those that settled consumers hold; a missing one does not
 *         exist
 */
public record LockedRows(
        Map<UUID, Holding> holdings,
        Map<UUID, Fence> tombstones,
        Map<UUID, LockedProvider> providers,
        Map<String, Integer> resourceClassIds) {

    /**
     * A consumer and all its allocations.
     *
     * @param consumer null for one that does not exist though it holds something, as after a restore in part
     * @param allocations units by place; empty also for one that claims only want to be new
     */
    public record Holding(@Nullable Consumer consumer, Map<AllocationKey, Long> allocations) {}

    /**
     * @param inventories by resource class id
     * @param unaccounted units allocated, by resource class id, of what it has no inventory of, as after a restore in
     *     part; read where a reshape may bring one, otherwise empty
     */
    public record LockedProvider(
            long id, UUID uuid, int generation, Map<Integer, LockedInventory> inventories, Map<Integer, Long> unaccounted) {}

    /** @param used sum of all allocations, units */
    public record LockedInventory(Inventory terms, long used) {}
}
