package io.berth.scheduler.drain;

import io.berth.scheduler.text.WireNamed;

/** The state of a drain. */
enum DrainState implements WireNamed {
    /** Moves are in progress, or can begin. */
    MOVING,
    /** No move can begin until a move in progress has ended. */
    WAITING,
    /** No move is in progress, and none of the remaining instances can move now. */
    STUCK,
    /** No instances remain on the hosts. */
    DONE
}
