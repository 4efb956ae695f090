package io.berth.placement.ledger.claim;

/**
 * A consumer's own row.
 *
 * @param generation 1 after the first claim
 * @param consumerType null: never given
 */
public record Consumer(int generation, String projectId, String userId, String consumerType, Fence fence) {
    /** The row after one more accepted claim. @param after the fence then */
    Consumer after(ConsumerClaim claim, Fence after) {
        return new Consumer(
                generation + 1, claim.projectId(), claim.userId(),
                claim.consumerType() == null ? consumerType : claim.consumerType(), after);
    }

    /** The row of a consumer that did not exist before this claim. */
    static Consumer first(ConsumerClaim claim, Fence fence) {
        return new Consumer(1, claim.projectId(), claim.userId(), claim.consumerType(), fence);
    }

    Consumer with(Fence other) {
        return new Consumer(generation, projectId, userId, consumerType, other);
    }
}
