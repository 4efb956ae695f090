package io.berth.scheduler.claim;

import io.berth.scheduler.placement.candidate.AllocationRequest;
import io.berth.scheduler.text.WireNamed;

/**
 * Listener that is notified of every attempt to claim a host, in order, once its result is known. An attempt that ends
 * with {@link ClaimOutcome.Overtaken} is not reported. The listener cannot influence the next attempt.
 *
 * @param <H> the caller's type of a host; a list of hosts if several instances are claimed together
 */
@FunctionalInterface
public interface AttemptListener<H> {
    /** The result of one attempt. */
    enum Result implements WireNamed {
        /** Placement confirmed the claim. */
        CLAIMED,
        /** The claim had no response, but its settlement (see {@link ClaimLoop}) showed that it holds. */
        CLAIMED_UNANSWERED,
        /** Placement refused this allocation request, for example because the capacity of a provider is used. */
        REFUSED,
        /** The policy of the instance's server group does not permit the instance on the host, so no claim was sent. */
        SEAT_REFUSED,
        /** The providers kept changing during all attempts to write the claim. */
        PROVIDERS_BUSY,
        /** The claim had no response. Its settlement showed that it does not hold, or had no response either. */
        NO_ANSWER,
        /** Placement refused the claim for a reason that applies to every host. */
        DENIED,
        /** The consumer's allocations changed after they were read. */
        CONSUMER_CHANGED;
    }

    /**
     * Called after each attempt.
     *
     * @param host the host, from the ranked list
     * @param request the allocation request on this host that was tried
     * @param detail the reason why the claim does not hold; empty if it holds
     */
    void attempted(H host, AllocationRequest request, Result result, String detail);

    /** Returns a listener that ignores all attempts. */
    static <H> AttemptListener<H> ignoring() {
        return (host, request, result, detail) -> {};
    }
}
