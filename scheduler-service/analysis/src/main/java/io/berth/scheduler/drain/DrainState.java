package io.berth.scheduler.drain;

import io.berth.scheduler.text.WireNamed;

/** The state of a drain. */
enum DrainState implements WireNamed {
    /** Moves are under way, or can begin. */
    MOVING,
    /** No move can begin until one that is under way is over. */
    WAITING,
    /** No move is under way, and no instance that is left can be moved now. */
    STUCK,
    /** No instance is left on the hosts. */
    DONE
}
