package io.berth.placement.ledger.claim;

import jakarta.annotation.Nullable;
import java.util.Objects;

/**
 * The effect of a settlement on one consumer.
 *
 * @param undo the numbers of writes to undo: the consumer's last write is undone if it carried one of them; null: no
 *         write is undone
 * @param restore the allocations of the consumer after the undo; its generation is not checked
 */
public record ConsumerSettlement(@Nullable Undo undo, ConsumerClaim restore) {
    public ConsumerSettlement {
        Objects.requireNonNull(restore, "restore");
    }

    /** A range of numbers of writes, both ends included. */
    public record Undo(long from, long to) {
        boolean covers(Fence fence) {
            return fence.claimedBy() != null && from <= fence.claimedBy() && fence.claimedBy() <= to;
        }
    }
}
