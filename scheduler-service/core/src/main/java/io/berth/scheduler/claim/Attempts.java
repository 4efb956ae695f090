package io.berth.scheduler.claim;

import io.berth.scheduler.placement.candidate.AllocationRequest;
import io.berth.scheduler.text.WireNamed;

/**
 * Is told of every claim that is tried, in their order, once it is known what came of it. Has no say in what happens.
 *
 * @param <H> whatever the caller calls a host
 */
@FunctionalInterface
public interface Attempts<H> {
    /** What a claim came to. */
    enum Came implements WireNamed {
        CLAIMED,
        /** It had no answer, and holds as was found out later. */
        CLAIMED_UNANSWERED,
        REFUSED,
        /** The instance's server group left no room there, so that nothing was claimed. */
        SEAT_REFUSED,
        PROVIDERS_BUSY,
        NO_ANSWER,
        DENIED,
        CONSUMER_CHANGED;
    }

    /**
     * @param request one of the host's
     * @param detail why not; empty for one that holds
     */
    void tried(H host, AllocationRequest request, Came came, String detail);

    static <H> Attempts<H> unheard() {
        return (host, request, came, detail) -> {};
    }
}
