package io.berth.placement.ledger.claim;

import jakarta.annotation.Nullable;

/**
 * A consumer's fence. A write may carry a number of at least 1. From then on, writes with the same or a lower number
 * are refused, except a repetition of the last one. So a later write excludes an earlier one that got no response and
 * may still arrive.
 *
 * @param number the highest of all numbers that writes and settlements of the consumer carried; 0: none
 * @param claimedBy the number of the last write; null: it carried none, or there was no write
 */
public record Fence(long number, @Nullable Long claimedBy) {
    /** The number of a write that carries none. */
    public static final long PLAIN = 0;

    public static final Fence NONE = new Fence(PLAIN, null);

    boolean isClaimedBy(long number) {
        return claimedBy != null && claimedBy == number;
    }

    /** Returns whether a write with this number must be refused, because it is not above the fence. */
    boolean refuses(long write) {
        return write != PLAIN && write <= number;
    }

    Fence after(long write) {
        return write == PLAIN ? new Fence(number, null) : new Fence(write, write);
    }

    /**
     * Returns the fence with the number of a settlement.
     *
     * @param settlement at least {@link #number}
     */
    Fence raisedTo(long settlement) {
        return new Fence(settlement, claimedBy);
    }
}
