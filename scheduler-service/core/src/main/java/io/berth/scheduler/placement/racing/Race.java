package io.berth.scheduler.placement.racing;

import io.berth.scheduler.placement.candidate.AllocationCandidates;
import io.berth.scheduler.placement.candidate.AllocationRequest;
import io.smallrye.mutiny.Uni;
import jakarta.annotation.Nullable;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Requests of this scheduler that decide on about the same answers at the same moment: whose turn it is, what each will claim
 * first, and what of the others' claims its answer may not show. Any thread may call.
 */
public final class Race {
    private final ClaimsUnderway underway = new ClaimsUnderway();
    private final Contenders contenders = new Contenders(underway);
    private final Turns turns;
    /** By request: what it will claim first. As many as are under way: {@link #end} follows. */
    private final Map<String, Announced> announced = new ConcurrentHashMap<>();

    private record Announced(AllocationRequest request, ClaimsUnderway.Underway claim) {}

    public Race(int turnsAtOnce, Turns.Timer timer) {
        this.turns = new Turns(turnsAtOnce, timer);
    }

    /** A moment before everything that begins or ends after this call. */
    public long now() {
        return underway.now();
    }

    /** Completes when it is that request's turn to decide. */
    public Uni<Void> turn(String requestId) {
        return turns.take(requestId);
    }

    /**
     * The answer with the claims that it may not show.
     *
     * @param askedAt a moment of {@link #now} before it was asked for
     */
    public AllocationCandidates charge(String requestId, AllocationCandidates answer, long askedAt) {
        return contenders.charge(requestId, answer, askedAt);
    }

    /** One that is taken is not claimed; the turn lasts until one is. */
    public void announce(AllocationRequest first, String requestId) {
        if (!contenders.isTaken(requestId, first)) {
            Announced before = announced.put(requestId, new Announced(first, underway.begin(first)));
            if (before != null) {
                before.claim().refused();
            }
            turns.end(requestId);
        }
    }

    /** The claim begins, and the next request may decide. Null if claims of others leave no room for it. */
    public @Nullable ClaimsUnderway.Underway begin(AllocationRequest request, String requestId) {
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

    /** Returns whether claims of others, which may come to nothing, were counted for that request. It is forgotten. */
    public boolean end(String requestId) {
        turns.end(requestId);
        Announced unclaimed = announced.remove(requestId);
        if (unclaimed != null) {
            unclaimed.claim().refused();
        }
        return contenders.end(requestId);
    }
}
