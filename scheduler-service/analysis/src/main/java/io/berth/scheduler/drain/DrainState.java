package io.berth.scheduler.drain;

import io.berth.scheduler.text.WireNamed;

/** The state of a drain, in the response with its progress and in the response with its next moves. */
enum DrainState implements WireNamed {
    /**
     * With the progress: moves are in progress, or an instance remains that has a destination or was not evaluated.
     * With the next moves: moves can begin, or the time was up before this was known.
     */
    MOVING,
    /** Only with the next moves: moves are in progress, and no further move can begin now. */
    WAITING,
    /** No move is in progress, and none of the remaining instances can move now. */
    STUCK,
    /** No registered instance remains on the hosts, and no move is in progress. */
    DONE
}
