package io.berth.scheduler.placement.inflight;

import io.berth.scheduler.placement.candidate.AllocationCandidates;
import io.berth.scheduler.placement.candidate.AllocationRequest;
import java.util.HashMap;
import java.util.Map;

/**
 * Subtracts this replica's in-flight claims from a response that may predate them: when a request decides, and again
 * before each of its claims, because concurrent requests get similar responses. Holds the requests that are deciding
 * and claiming, each with its responses; beyond {@value #REQUESTS_MAX} requests nothing is subtracted. Thread-safe.
 */
final class ContendingRequests {
    static final int REQUESTS_MAX = 10_000;

    /** The responses that one request decides on. */
    private static final class Claimer {
        private AllocationCandidates received = AllocationCandidates.NONE;
        private long askedAt = Long.MAX_VALUE;
        private volatile boolean othersCounted;
    }

    private final InFlightClaims underway;
    private final Map<String, Claimer> claimers = new HashMap<>();

    ContendingRequests(InFlightClaims underway) {
        this.underway = underway;
    }

    /**
     * Returns the response less the claims that it may not include.
     *
     * @param askedAt a moment of {@link InFlightClaims#now} before its query was sent
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
            charges = underway.since(askedAt);
        }
        AllocationCandidates charged = charges.on(answer);
        if (charged != answer) {
            claimer.othersCounted = true;
        }
        return charged;
    }

    /** Returns whether the request can skip this claim, because claims of other requests leave no capacity for it. */
    synchronized boolean isTaken(String requestId, AllocationRequest request) {
        Claimer claimer = claimers.get(requestId);
        boolean taken = claimer != null
                && !underway.since(claimer.askedAt, request.allocations()::containsKey)
                        .leaveRoom(claimer.received, request);
        if (taken) {
            claimer.othersCounted = true;
        }
        return taken;
    }

    /** Removes the request. Returns whether claims of others, which may still fail, were subtracted for it. */
    synchronized boolean end(String requestId) {
        Claimer claimer = claimers.remove(requestId);
        return claimer != null && claimer.othersCounted;
    }
}
