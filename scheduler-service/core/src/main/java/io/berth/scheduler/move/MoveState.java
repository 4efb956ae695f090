package io.berth.scheduler.move;

import java.util.Locale;

/** The state of a move. STARTED and REVERTING are open: a move in them whose lease expires is rolled back. */
public enum MoveState {
    STARTED,
    MOVED,
    /** The instance stays where the move took it, and nothing on the source is held any more; this state is final. */
    CONFIRMED,
    /** Nothing of the move is held; the same move may be started again. */
    FAILED,
    REVERTING,
    REVERTED;

    /** Returns the name as it is stored, and as responses show it. */
    public String stored() {
        return name().toLowerCase(Locale.ROOT);
    }

    /** Returns the state with that stored name. */
    public static MoveState of(String stored) {
        return valueOf(stored.toUpperCase(Locale.ROOT));
    }
}
