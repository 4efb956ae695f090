package io.berth.placement.ledger.claim;

import jakarta.annotation.Nullable;

/**
 * A row of a consumer, the holder of allocations.
 *
 * @param generation 1 after the first claim; each further claim raises it by one, but a settlement without an undo does
 *         not
 * @param consumerType the type of the consumer; null if no client has given a type
 */
public record Consumer(int generation, String projectId, String userId, @Nullable String consumerType, Fence fence) {
    /**
     * Returns the row after one more claim.
     *
     * @param after the fence after the claim
     */
    Consumer after(ConsumerClaim claim, Fence after) {
        return new Consumer(
                generation + 1, claim.projectId(), claim.userId(),
                claim.consumerType() == null ? consumerType : claim.consumerType(), after);
    }

    /**
     * Returns the row of a consumer that had none before this claim.
     *
     * @param fence the fence after the claim
     */
    static Consumer first(ConsumerClaim claim, Fence fence) {
        return new Consumer(1, claim.projectId(), claim.userId(), claim.consumerType(), fence);
    }

    Consumer with(Fence newFence) {
        return new Consumer(generation, projectId, userId, consumerType, newFence);
    }
}
