package io.berth.placement.ledger.claim;

import jakarta.annotation.Nullable;
import java.util.List;
import java.util.Map;
import java.util.UUID;

/**
 * The result of a {@link Claim}. {@link Claimed} and {@link Settled} are committed, the outcome of {@link
 * Indeterminate} is unknown. With any other result, nothing was written.
 */
public sealed interface ClaimResult {
    /**
     * The claim is committed. A claim with a fencing token may be a repetition of a claim that was committed before.
     */
    record Claimed() implements ClaimResult {}

    /**
     * The settlement ({@link Claim.Settle}) is committed, and the fences are raised.
     *
     * @param consumers the consumers after the settlement, in the order of the request
     * @param undoRefused the reason for which no write was undone; null if all writes to undo were undone
     */
    record Settled(List<SettledConsumer> consumers, @Nullable Refused undoRefused) implements ClaimResult {}

    /**
     * A consumer after a settlement.
     *
     * @param consumer the consumer's row; null if it has none
     * @param isUndone whether the settlement undid the consumer's last write
     * @param allocations the consumer's allocations, except those whose provider or resource class does not exist
     */
    record SettledConsumer(
            UUID uuid, @Nullable Consumer consumer, Fence fence, boolean isUndone,
            List<ProviderAllocations> allocations) {}

    /**
     * The allocations of a consumer on one provider.
     *
     * @param generation the provider's generation after the settlement
     * @param units the amounts by resource class
     */
    record ProviderAllocations(UUID provider, int generation, Map<String, Long> units) {}

    /**
     * The claim was refused or given up without a decision, and nothing was written: the service is stopping, the
     * database does not respond, too many claims wait, the claim waited too long, or concurrent writers kept preventing
     * it.
     *
     * @param reason a sentence for the client
     */
    record Unavailable(String reason) implements ClaimResult {}

    /**
     * The claim may be committed or not: there was no response to COMMIT, or its transaction was still running after
     * the longest wait.
     *
     * @param reason a sentence for the client
     */
    record Indeterminate(String reason) implements ClaimResult {}

    /** The rules refuse the claim; nothing was written. */
    sealed interface Refused extends ClaimResult {}

    /**
     * The fencing token of the write or settlement is too low for the {@link Fence} of the consumer.
     *
     * @param fence the present fence of the consumer
     * @param given the fencing token of the claim: lower than the fence, or, for a write, possibly equal to the fence
     */
    record Fenced(UUID consumer, long fence, long given) implements Refused {}

    /**
     * The consumer's generation is not the one that the client expects.
     *
     * @param actual the present generation; null if the consumer does not exist
     * @param given the generation that the client expects; null if the client expects that the consumer does not exist
     */
    record ConsumerGenerationConflict(UUID consumer, @Nullable Integer actual, @Nullable Long given)
            implements Refused {}

    /** The claim releases a consumer without allocations. */
    record NothingAllocated(UUID consumer) implements Refused {}

    /** The claim has an amount on a provider that does not exist. */
    record NoSuchProvider(UUID provider) implements Refused {}

    /** The claim names a resource class that does not exist. */
    record NoSuchResourceClass(String resourceClass) implements Refused {}

    /** These providers have no inventory of any of these classes. */
    record NoInventory(List<String> resourceClasses, List<UUID> providers) implements Refused {}

    /** An amount violates {@code min_unit}, {@code max_unit} or {@code step_size} of the inventory. */
    record PortionRefused(String resourceClass, UUID provider) implements Refused {}

    /** An amount exceeds the free capacity of the inventory. */
    record CapacityExceeded(String resourceClass, UUID provider) implements Refused {}

    /** A reshape has inventories for a provider that does not exist. */
    record NoSuchReshapedProvider(UUID provider) implements Refused {}

    /**
     * The generation of a provider whose inventories a reshape replaces is not the one that the client expects.
     *
     * @param actual the present generation
     * @param given the generation that the client expects
     */
    record ProviderGenerationConflict(UUID provider, int actual, long given) implements Refused {}

    /** A reshape removes inventories that would still have allocations. */
    record InventoryInUse(List<String> resourceClasses, UUID provider) implements Refused {}
}
