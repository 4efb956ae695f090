package io.berth.placement.ledger.claim;

/**
 * A consumer's row.
 *
 * @param generation 1 after the first claim
 * @param consumerType null if no client has given one
 */
public record Consumer(int generation, String projectId, String userId, String consumerType, Fence fence) {
    /**
     * Returns the row after one more accepted claim.
     *
     * @param after the fence after the claim
     */
    Consumer after(ConsumerClaim claim, Fence after) {
        return new Consumer(
                generation + 1, claim.projectId(), claim.userId(),
                claim.consumerType() == null ? consumerType : claim.consumerType(), after);
    }

    /** Returns the row of a consumer that did not exist before this claim. */
    static Consumer first(ConsumerClaim claim, Fence fence) {
        return new Consumer(1, claim.projectId(), claim.userId(), claim.consumerType(), fence);
    }

    Consumer with(Fence other) {
        return new Consumer(generation, projectId, userId, consumerType, other);
    }
}
