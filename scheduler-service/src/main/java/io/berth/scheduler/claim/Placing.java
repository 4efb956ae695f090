package io.berth.scheduler.claim;

import io.berth.scheduler.placement.AllocationRequest;

/** What the walk down a ranked list can come to. */
public sealed interface Placing<H> {
    /** The consumer holds this host. */
    record Selected<H>(H host, AllocationRequest request) implements Placing<H> {}

    /**
     * Every host refused.
     *
     * @param attempts claims made
     * @param lastRefusal placement's words, empty when there was no host to try
     */
    record NoneLeft<H>(int attempts, String lastRefusal) implements Placing<H> {}

    /** The consumer is held by somebody else: "allocation update failed", not "no valid host". */
    record Aborted<H>(String detail) implements Placing<H> {}

    /** A claim may hold, and nobody could be asked. The caller must have the consumer released. */
    record InDoubt<H>(AllocationRequest request, String why) implements Placing<H> {}
}
