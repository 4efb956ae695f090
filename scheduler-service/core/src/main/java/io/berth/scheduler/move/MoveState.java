package io.berth.scheduler.move;

import java.util.Locale;

/** Where a move stands. Started and reverting ones are open: left alone too long, they are put back. */
public enum MoveState {
    STARTED,
    MOVED,
    /** As moved, and final: nothing of the source is held any more. */
    CONFIRMED,
    /** Nothing of it is left; the same move may be started again. */
    FAILED,
    REVERTING,
    REVERTED;

    /** As it is stored, and told. */
    public String stored() {
        return name().toLowerCase(Locale.ROOT);
    }

    static MoveState of(String stored) {
        return valueOf(stored.toUpperCase(Locale.ROOT));
    }
}
