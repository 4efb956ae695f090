package io.berth.scheduler.placement.inflight;

import io.berth.scheduler.placement.candidate.AllocationCandidates;
import io.berth.scheduler.placement.candidate.AllocationRequest;
import java.util.HashMap;
import java.util.Map;

/**
 * Subtracts the {@linkplain InFlightClaims claims of this replica} from the candidates of a request that may not
 * include them: when the request decides, and again before each of its claims. Holds the requests that decide or claim,
 * each with the candidates that placement returned to it. For requests beyond {@value #REQUESTS_MAX}, nothing is
 * subtracted. Thread-safe.
 */
final class ContendingRequests {
    /** Maximum requests that are tracked. */
    static final int REQUESTS_MAX = 10_000;

    /** A request that decides or claims. */
    private static final class Claimer {
        /** The responses that the request has received, merged. */
        private AllocationCandidates received = AllocationCandidates.NONE;
        /** A moment of {@link InFlightClaims#now} before the first query was sent. */
        private long askedAt = Long.MAX_VALUE;
        /** True if claims were subtracted for this request, so that it may have missed hosts. */
        private volatile boolean hasSubtractedClaims;
    }

    private final InFlightClaims inFlight;
    private final Map<String, Claimer> claimers = new HashMap<>();

    ContendingRequests(InFlightClaims inFlight) {
        this.inFlight = inFlight;
    }

    /**
     * Returns the response less the claims that it may not include ({@link InFlightCharges#addTo}), and stores the
     * response for {@link #isCapacityTaken}.
     *
     * @param askedAt a moment of {@link InFlightClaims#now} before the query was sent
     */
    AllocationCandidates charge(String requestId, AllocationCandidates answer, long askedAt) {
        Claimer claimer;
        InFlightCharges charges;
        synchronized (this) {
            claimer = claimers.get(requestId);
            if (claimer == null) {
                if (claimers.size() >= REQUESTS_MAX) {
                    return answer;
                }
                claimer = new Claimer();
                claimers.put(requestId, claimer);
            }
            claimer.received = claimer.received.followedBy(answer);
            claimer.askedAt = Math.min(claimer.askedAt, askedAt);
            charges = inFlight.chargesSince(askedAt);
        }
        AllocationCandidates withoutClaims = charges.addTo(answer);
        if (withoutClaims != answer) {
            claimer.hasSubtractedClaims = true;
        }
        return withoutClaims;
    }

    /**
     * Returns whether a request may skip a claim, because the claims that its responses may not include leave too
     * little capacity. False for a request beyond {@value #REQUESTS_MAX}.
     *
     * @param request the allocations that would be claimed
     */
    synchronized boolean isCapacityTaken(String requestId, AllocationRequest request) {
        Claimer claimer = claimers.get(requestId);
        if (claimer == null) {
            return false;
        }
        boolean isTaken = !inFlight.chargesSince(claimer.askedAt, request.allocations()::containsKey)
                .leaveRoom(claimer.received, request);
        if (isTaken) {
            claimer.hasSubtractedClaims = true;
        }
        return isTaken;
    }

    /** Removes a request. Returns whether claims, which may still fail, were subtracted for it. */
    synchronized boolean end(String requestId) {
        Claimer claimer = claimers.remove(requestId);
        return claimer != null && claimer.hasSubtractedClaims;
    }
}
