package io.berth.placement.ledger.claim;

import jakarta.annotation.Nullable;
import java.util.Objects;

/**
 * The part of a settlement ({@link Claim.Settle}) that concerns one consumer.
 *
 * @param undo the fencing tokens of writes to undo: the consumer's last write is undone if the token of that write is
 *         in this range; null if no write is to be undone
 * @param restore the allocations that an undo restores, at any generation of the consumer
 */
public record ConsumerSettlement(@Nullable Undo undo, ConsumerClaim restore) {
    public ConsumerSettlement {
        Objects.requireNonNull(restore, "restore");
    }

    /** A range of fencing tokens, both ends included. */
    public record Undo(long from, long to) {
        /** Returns whether the last write of a consumer with this fence is to be undone. */
        boolean covers(Fence fence) {
            return fence.claimedBy() != null && from <= fence.claimedBy() && fence.claimedBy() <= to;
        }
    }
}
