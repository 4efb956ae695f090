package io.berth.placement.ledger.claim;

/**
 * A consumer's own row.
 *
 * @param generation 1 after the first claim
 * @param consumerType null: never said
 */
public record Consumer(int generation, String projectId, String userId, String consumerType) {
    /** The row after one more accepted claim. */
    Consumer after(ConsumerClaim claim) {
        return new Consumer(
                generation + 1, claim.projectId(), claim.userId(),
                claim.consumerType() == null ? consumerType : claim.consumerType());
    }

    /** The row of a consumer that did not exist before this claim. */
    public static Consumer first(ConsumerClaim claim) {
        return new Consumer(1, claim.projectId(), claim.userId(), claim.consumerType());
    }
}
