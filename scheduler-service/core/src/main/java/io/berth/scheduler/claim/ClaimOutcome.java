package io.berth.scheduler.claim;

import io.berth.scheduler.placement.ClaimResult;
import io.berth.scheduler.placement.candidate.AllocationRequest;

/**
 * The outcome of the claim loop. The consumer holds an allocation of the request only after {@link Selected}, and
 * possibly after {@link Unsettled}.
 */
public sealed interface ClaimOutcome<H> {
    /** The consumer holds this host. */
    record Selected<H>(H host, AllocationRequest request) implements ClaimOutcome<H> {}

    /**
     * Every host refused with a definite response.
     *
     * @param attempts claims made and group reservations refused
     * @param lastRefusal the last reason for a refusal; empty if there was no host to try
     */
    record NoneLeft<H>(int attempts, String lastRefusal) implements ClaimOutcome<H> {}

    /**
     * The instance's server group is on other hosts, which may be missing from this list: the request must be decided
     * again.
     */
    record GroupElsewhere<H>(String why) implements ClaimOutcome<H> {}

    /** Placement refuses for a reason that applies to every host. */
    record Denied<H>(ClaimResult.Denied denied) implements ClaimOutcome<H> {}

    /** Another client changed the consumer's allocations: "allocation update failed", not "no valid host". */
    record Aborted<H>(String detail) implements ClaimOutcome<H> {}

    /** The request has another owner by now. */
    record Overtaken<H>() implements ClaimOutcome<H> {}

    /**
     * A claim had no response, and placement could not be queried whether it holds. The caller must roll back the
     * request's claims as soon as it can.
     */
    record Unsettled<H>(String why) implements ClaimOutcome<H> {}
}
