package io.berth.placement.ledger.claim;

import jakarta.annotation.Nullable;
import java.util.Objects;

/**
 * The effect of a settlement on one consumer.
 *
 * @param undo the owner whose last write is undone; null: no write is undone
 * @param restore what the consumer holds after that; its generation is not checked
 */
public record ConsumerSettlement(@Nullable Undo undo, ConsumerClaim restore) {
    public ConsumerSettlement {
        Objects.requireNonNull(restore, "restore");
    }

    /** Writes with these numbers, both included. */
    public record Undo(long from, long to) {
        boolean covers(Fence fence) {
            return fence.claimedBy() != null && from <= fence.claimedBy() && fence.claimedBy() <= to;
        }
    }
}
