package io.berth.scheduler.claim;

import io.berth.scheduler.placement.candidate.AllocationRequest;
import io.berth.scheduler.text.WireNamed;

/**
 * Is notified of every claim that is tried, in order, once its result is known. It cannot change what happens next.
 *
 * @param <H> the caller's type of a host
 */
@FunctionalInterface
public interface Attempts<H> {
    /** The result of one claim. */
    enum Result implements WireNamed {
        CLAIMED,
        /** The claim had no response; a settlement returned later that it holds. */
        CLAIMED_UNANSWERED,
        REFUSED,
        /** The instance's server group allowed no further member there, so nothing was claimed. */
        SEAT_REFUSED,
        PROVIDERS_BUSY,
        NO_ANSWER,
        DENIED,
        CONSUMER_CHANGED;
    }

    /**
     * @param request the allocation request that was tried, one of the host's
     * @param detail the reason why it does not hold; empty if it holds
     */
    void tried(H host, AllocationRequest request, Result came, String detail);

    static <H> Attempts<H> unheard() {
        return (host, request, came, detail) -> {};
    }
}
