package io.berth.scheduler.claim;

import io.berth.scheduler.placement.ClaimResult;
import io.berth.scheduler.placement.candidate.AllocationRequest;

/** What the walk down a ranked list can come to. The consumer holds nothing of it but in the first case and perhaps the last. */
public sealed interface Placing<H> {
    /** The consumer holds this host. */
    record Selected<H>(H host, AllocationRequest request) implements Placing<H> {}

    /**
     * Every host refused, and each in so many words.
     *
     * @param attempts claims made
     * @param lastRefusal placement's words, empty when there was no host to try
     */
    record NoneLeft<H>(int attempts, String lastRefusal) implements Placing<H> {}

    /** The instance's server group is on other hosts, which this list need not have: it is to be decided anew. */
    record GroupElsewhere<H>(String why) implements Placing<H> {}

    /** Placement refuses what no other host would mend. */
    record Denied<H>(ClaimResult.Denied denied) implements Placing<H> {}

    /** The consumer is held by somebody else: "allocation update failed", not "no valid host". */
    record Aborted<H>(String detail) implements Placing<H> {}

    /** The request has another owner by now. */
    record Overtaken<H>() implements Placing<H> {}

    /**
     * A claim had no response, and placement could not be asked whether it holds. The caller must undo what the request claimed
     * as soon as it can.
     */
    record Unsettled<H>(String why) implements Placing<H> {}
}
