package io.berth.scheduler.placement.inflight;

import io.berth.scheduler.placement.candidate.AllocationCandidates;
import io.berth.scheduler.placement.candidate.AllocationRequest;
import io.smallrye.mutiny.Uni;
import jakarta.annotation.Nullable;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Coordinates the requests of this replica that decide at the same time on similar candidates. It admits them in turns,
 * announces the first claim of each, and subtracts from a response the {@linkplain InFlightClaims claims of this
 * replica} that the response may not include. Thread-safe.
 */
public final class InFlightCandidates {
    private final InFlightClaims inFlight = new InFlightClaims();
    private final ContendingRequests contenders = new ContendingRequests(inFlight);
    private final AdmissionQueue turns;
    /**
     * Request id to the announced first claim. Bounded by the number of requests in flight, because each calls
     * {@link #end}.
     */
    private final Map<String, Announced> announced = new ConcurrentHashMap<>();

    private record Announced(AllocationRequest request, InFlightClaims.TrackedClaim claim) {}

    /** @param turnsAtOnce maximum requests that decide at the same time */
    public InFlightCandidates(int turnsAtOnce, AdmissionQueue.Timer timer) {
        this.turns = new AdmissionQueue(turnsAtOnce, timer);
    }

    /** Returns the present moment of a logical clock, which is before every begin or end of a claim after this call. */
    public long now() {
        return inFlight.now();
    }

    /** Completes when a request may decide, see {@link AdmissionQueue}. */
    public Uni<Void> awaitTurn(String requestId) {
        return turns.awaitTurn(requestId);
    }

    /**
     * Returns the response less the claims that it may not include. Returns the response unchanged if nothing would be
     * left: only placement may decide that there is no capacity, because the claims may still fail.
     *
     * @param askedAt a moment of {@link #now} before the query was sent
     */
    public AllocationCandidates charge(String requestId, AllocationCandidates answer, long askedAt) {
        return contenders.charge(requestId, answer, askedAt);
    }

    /**
     * Announces the first claim of a request and ends its turn. If other claims leave too little capacity for this
     * claim, announces nothing, and the turn continues.
     */
    public void announce(AllocationRequest first, String requestId) {
        if (!contenders.isCapacityTaken(requestId, first)) {
            Announced previous = announced.put(requestId, new Announced(first, inFlight.begin(first)));
            if (previous != null) {
                previous.claim().endRefused();
            }
            turns.end(requestId);
        }
    }

    /**
     * Begins a claim, and ends the turn of the request. Returns the announced claim if it is for the same allocations;
     * an announced claim for other allocations ends. Returns null if no such claim was announced, and other claims
     * leave too little capacity; then the claim should be skipped, and the turn continues.
     */
    public @Nullable InFlightClaims.TrackedClaim begin(AllocationRequest request, String requestId) {
        Announced first = announced.remove(requestId);
        if (first != null && first.request().equals(request)) {
            return first.claim();
        }
        if (first != null) {
            first.claim().endRefused();
        }
        if (contenders.isCapacityTaken(requestId, request)) {
            return null;
        }
        turns.end(requestId);
        return inFlight.begin(request);
    }

    /**
     * Removes a request, and ends its turn. Returns whether claims, which may still fail, were subtracted for it, so
     * that it may have missed hosts.
     */
    public boolean end(String requestId) {
        turns.end(requestId);
        Announced unclaimed = announced.remove(requestId);
        if (unclaimed != null) {
            unclaimed.claim().endRefused();
        }
        return contenders.end(requestId);
    }
}
