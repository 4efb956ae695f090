package io.berth.scheduler.placement.inflight;

import io.berth.scheduler.placement.candidate.AllocationCandidates;
import io.berth.scheduler.placement.candidate.AllocationRequest;
import io.smallrye.mutiny.Uni;
import jakarta.annotation.Nullable;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Coordinates requests of this replica that decide at the same time on similar responses of placement: their order, the
 * first claim of each, and the claims of others that its response may not include. Thread-safe.
 */
public final class InFlightCandidates {
    private final InFlightClaims underway = new InFlightClaims();
    private final ContendingRequests contenders = new ContendingRequests(underway);
    private final AdmissionQueue turns;
    /** The announced first claim by request. Bounded by the requests in flight, as {@link #end} follows. */
    private final Map<String, Announced> announced = new ConcurrentHashMap<>();

    private record Announced(AllocationRequest request, InFlightClaims.Underway claim) {}

    public InFlightCandidates(int turnsAtOnce, AdmissionQueue.Timer timer) {
        this.turns = new AdmissionQueue(turnsAtOnce, timer);
    }

    /** Returns a moment before everything that begins or ends after this call. */
    public long now() {
        return underway.now();
    }

    /** Completes when it is that request's turn to decide. */
    public Uni<Void> turn(String requestId) {
        return turns.take(requestId);
    }

    /**
     * Returns the response less the claims that it may not include.
     *
     * @param askedAt a moment of {@link #now} before its query was sent
     */
    public AllocationCandidates charge(String requestId, AllocationCandidates answer, long askedAt) {
        return contenders.charge(requestId, answer, askedAt);
    }

    /**
     * Announces the first claim and ends the turn. If claims of others took the capacity, it announces nothing, and
     * the turn lasts until a claim begins.
     */
    public void announce(AllocationRequest first, String requestId) {
        if (!contenders.isTaken(requestId, first)) {
            Announced before = announced.put(requestId, new Announced(first, underway.begin(first)));
            if (before != null) {
                before.claim().refused();
            }
            turns.end(requestId);
        }
    }

    /** Begins a claim, and lets the next request decide. Null if claims of others leave no capacity for it. */
    public @Nullable InFlightClaims.Underway begin(AllocationRequest request, String requestId) {
        Announced first = announced.remove(requestId);
        if (first != null && first.request().equals(request)) {
            return first.claim();
        }
        if (first != null) {
            first.claim().refused();
        }
        if (contenders.isTaken(requestId, request)) {
            return null;
        }
        turns.end(requestId);
        return underway.begin(request);
    }

    /** Removes the request. Returns whether claims of others, which may still fail, were charged to its responses. */
    public boolean end(String requestId) {
        turns.end(requestId);
        Announced unclaimed = announced.remove(requestId);
        if (unclaimed != null) {
            unclaimed.claim().refused();
        }
        return contenders.end(requestId);
    }
}
