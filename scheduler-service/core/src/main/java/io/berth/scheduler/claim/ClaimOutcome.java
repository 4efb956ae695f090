package io.berth.scheduler.claim;

import io.berth.scheduler.placement.ClaimResult;
import io.berth.scheduler.placement.candidate.AllocationRequest;

/**
 * The outcome of the claim loop. The consumer holds allocations of this request only after {@link Selected}, and
 * possibly after {@link Unsettled} and {@link Overtaken}.
 *
 * @param <H> the caller's type of a host
 */
public sealed interface ClaimOutcome<H> {
    /** The consumer holds the allocations of this request on this host. */
    record Selected<H>(H host, AllocationRequest request) implements ClaimOutcome<H> {}

    /**
     * No host was claimed. Each was refused by placement or by the server group, or its providers kept changing.
     *
     * @param attempts claims sent plus group reservations refused
     * @param lastRefusal reason for the last refusal; empty if the list of hosts was empty
     */
    record NoneLeft<H>(int attempts, String lastRefusal) implements ClaimOutcome<H> {}

    /**
     * The affinity group has its members on hosts that may be missing from the ranked list. The caller must decide the
     * request again.
     */
    record GroupElsewhere<H>(String why) implements ClaimOutcome<H> {}

    /**
     * Placement refuses for a reason that applies to every host; or no host was claimed, and at least one claim had no
     * response and does not hold.
     */
    record Denied<H>(ClaimResult.Denied denied) implements ClaimOutcome<H> {}

    /**
     * Another client changed the consumer's allocations. The caller reports this as "allocation update failed", not as
     * "no valid host".
     */
    record Aborted<H>(String detail) implements ClaimOutcome<H> {}

    /**
     * The request does not own its record any more, because another replica took the record over, or another request
     * has already returned the response that was precomputed in the record. No further claim was made; an earlier claim
     * that had no response may hold.
     */
    record Overtaken<H>() implements ClaimOutcome<H> {}

    /**
     * A claim had no response, and neither had its settlement, which would have kept the claim from committing later.
     * So the claim may hold, or may still succeed. The caller must roll back the request's claims as soon as placement
     * responds.
     */
    record Unsettled<H>(String why) implements ClaimOutcome<H> {}
}
