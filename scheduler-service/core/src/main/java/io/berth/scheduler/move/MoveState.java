package io.berth.scheduler.move;

import java.util.Locale;

/**
 * The state of a move. STARTED and REVERTING are open: if the lease of such a move expires, any replica may roll the
 * move back or complete the revert.
 * <pre>
 *   STARTED ----> MOVED ----> CONFIRMED
 *    |   ^        |   ^
 *    v   |        v   | cannot be reverted any more
 *   FAILED      REVERTING ----> REVERTED
 * </pre>
 */
public enum MoveState {
    /** The target is being selected or claimed. */
    STARTED,
    /** The target is claimed. The allocations on the source are kept until the move is confirmed or reverted. */
    MOVED,
    /** The instance keeps the target, and the source is released. Final. */
    CONFIRMED,
    /** No claim of the move holds. A request with the same migration may start the move again. */
    FAILED,
    /** The allocations from before the move are being restored. */
    REVERTING,
    /** The instance holds its allocations from before the move. Final. */
    REVERTED;

    /** Returns the lowercase name, as responses and the result columns of {@link MoveStore} have it. */
    public String stored() {
        return name().toLowerCase(Locale.ROOT);
    }

    /**
     * Parses a lowercase name.
     *
     * @throws IllegalArgumentException for an unknown name
     */
    public static MoveState of(String stored) {
        return valueOf(stored.toUpperCase(Locale.ROOT));
    }
}
