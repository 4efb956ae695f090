package io.berth.placement.ledger.claim;

import java.util.List;
import java.util.UUID;

/** How a claim ended. Every case but {@link Claimed} changed nothing, except that nobody knows of {@link InDoubt}. */
public sealed interface ClaimResult {
    /** Committed. */
    record Claimed() implements ClaimResult {}

    /** Not tried to the end, nothing was changed: the queue is full, or the database does not answer. */
    record Unavailable(String why) implements ClaimResult {}

    /** The answer to COMMIT did not arrive: the claim may hold. */
    record InDoubt(String why) implements ClaimResult {}

    /** The rules do not allow it. */
    sealed interface Refused extends ClaimResult {}

    /**
     * @param actual null: there is no such consumer
     * @param given null: the client believes that it is new
     */
    record ConsumerGenerationConflict(UUID consumer, Integer actual, Long given) implements Refused {}

    /** A release of a consumer that holds nothing. */
    record NothingAllocated(UUID consumer) implements Refused {}

    record NoSuchProvider(UUID provider) implements Refused {}

    record NoSuchResourceClass(String resourceClass) implements Refused {}

    /** The providers have no inventory of any of the classes (or the one provider not of the one class). */
    record NoInventory(List<String> resourceClasses, List<UUID> providers) implements Refused {}

    /** An amount against min_unit, max_unit or step_size. */
    record PortionRefused(String resourceClass, UUID provider) implements Refused {}

    /** More than the provider has left. */
    record CapacityExceeded(String resourceClass, UUID provider) implements Refused {}

    /** A reshape names a provider that does not exist. */
    record NoSuchReshapedProvider(UUID provider) implements Refused {}

    record ProviderGenerationConflict(UUID provider, int actual, long given) implements Refused {}

    /** A reshape takes inventories away that are still allocated. */
    record InventoryInUse(List<String> resourceClasses, UUID provider) implements Refused {}
}
