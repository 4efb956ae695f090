package io.berth.placement.ledger.claim;

import jakarta.annotation.Nullable;
import java.util.List;
import java.util.Map;
import java.util.UUID;

/**
 * The result of a claim. {@link Claimed} and {@link Settled} are committed, the outcome of {@link InDoubt} is
 * indeterminate, and all other results changed nothing.
 */
public sealed interface ClaimResult {
    /** The claim is committed. If it has a number, it may also be a repetition of a write that was committed before. */
    record Claimed() implements ClaimResult {}

    /**
     * The settlement is committed: the fences are raised.
     *
     * @param consumers as the settlement leaves them, in the order given
     * @param undoRefused the reason why no write was undone; null if all requested undos succeeded
     */
    record Settled(List<SettledConsumer> consumers, @Nullable Refused undoRefused) implements ClaimResult {}

    /**
     * One consumer after a settlement.
     *
     * @param consumer its row; null if it has none
     * @param undone whether the settlement undid its last write
     * @param holds its allocations
     */
    record SettledConsumer(
            UUID uuid, @Nullable Consumer consumer, Fence fence, boolean undone, List<HeldOfProvider> holds) {}

    /**
     * The allocations of a consumer on one provider.
     *
     * @param units amounts by resource class
     */
    record HeldOfProvider(UUID provider, int generation, Map<String, Long> units) {}

    /** The claim was abandoned and changed nothing: the queue is full, or the database does not respond. */
    record Unavailable(String why) implements ClaimResult {}

    /** The response to COMMIT did not arrive, so the claim may or may not be committed. */
    record InDoubt(String why) implements ClaimResult {}

    /** The rules refuse the claim. */
    sealed interface Refused extends ClaimResult {}

    /**
     * The number of the write or settlement is too low: a later one came first.
     *
     * @param fence the consumer's fence
     * @param given the number: lower than the fence, or for a write equal to it
     */
    record Fenced(UUID consumer, long fence, long given) implements Refused {}

    /**
     * The consumer's generation is not the one that the client expects.
     *
     * @param actual null if the consumer does not exist
     * @param given null if the client expects the consumer to be new
     */
    record ConsumerGenerationConflict(UUID consumer, Integer actual, Long given) implements Refused {}

    /** The claim releases a consumer that holds nothing. */
    record NothingAllocated(UUID consumer) implements Refused {}

    record NoSuchProvider(UUID provider) implements Refused {}

    record NoSuchResourceClass(String resourceClass) implements Refused {}

    /** None of the providers has an inventory of any of the classes. */
    record NoInventory(List<String> resourceClasses, List<UUID> providers) implements Refused {}

    /** An amount violates min_unit, max_unit or step_size. */
    record PortionRefused(String resourceClass, UUID provider) implements Refused {}

    /** An amount exceeds the capacity that the provider has left. */
    record CapacityExceeded(String resourceClass, UUID provider) implements Refused {}

    /** A reshape names a provider that does not exist. */
    record NoSuchReshapedProvider(UUID provider) implements Refused {}

    record ProviderGenerationConflict(UUID provider, int actual, long given) implements Refused {}

    /** A reshape removes inventories that still have allocations. */
    record InventoryInUse(List<String> resourceClasses, UUID provider) implements Refused {}
}
