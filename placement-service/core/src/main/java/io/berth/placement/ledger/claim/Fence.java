package io.berth.placement.ledger.claim;

import jakarta.annotation.Nullable;

/**
 * The fence of a consumer. A write may have a fencing token, a number of at least 1. After a write with a token, or a
 * settlement ({@link Claim.Settle}), writes with the same or a lower number are refused, except a repetition of the
 * last write; writes without a token are never refused. So a client that got no response to a write can prevent the
 * write from taking effect later, by a settlement or another write with a higher number.
 *
 * @param number the highest fencing token of all writes and settlements of the consumer; 0 if there was none
 * @param claimedBy the fencing token of the last write; null if that write had none, if there was no write, or if an
 *         audit has changed the allocations since
 */
public record Fence(long number, @Nullable Long claimedBy) {
    /** Stands for the fencing token of a write that has none. */
    public static final long PLAIN = 0;

    /** The fence of a consumer that was never written with a fencing token, nor settled. */
    public static final Fence NONE = new Fence(PLAIN, null);

    /** Returns whether the last write had this fencing token. */
    boolean isClaimedBy(long token) {
        return claimedBy != null && claimedBy == token;
    }

    /**
     * Returns whether a write with this fencing token must be refused, unless it is a repetition; false for {@link
     * #PLAIN}.
     */
    boolean refuses(long token) {
        return token != PLAIN && token <= number;
    }

    /** Returns the fence after a write with this fencing token, or {@link #PLAIN}. */
    Fence after(long token) {
        return token == PLAIN ? new Fence(number, null) : new Fence(token, token);
    }

    /**
     * Returns the fence after a settlement.
     *
     * @param settlementNumber the number of the fence that the settlement sets, at least {@link #number}
     */
    Fence raisedTo(long settlementNumber) {
        return new Fence(settlementNumber, claimedBy);
    }
}
