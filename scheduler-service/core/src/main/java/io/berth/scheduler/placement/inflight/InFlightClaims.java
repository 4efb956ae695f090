package io.berth.scheduler.placement.inflight;

import io.berth.scheduler.placement.candidate.AllocationRequest;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;

/**
 * The claims that this replica has announced or has in flight, and the last {@value #ENDED_MAX} claims that ended
 * and may hold: the response to a query that was sent before a claim ended may not include the claim. Claims of other
 * replicas are unknown here; placement refuses a claim that conflicts with one of them. Thread-safe.
 */
public final class InFlightClaims {
    /**
     * Maximum claims that are kept after their end. Beyond this number, the claims that ended first are dropped: they
     * are not subtracted any more from the response to a query that was sent before they ended.
     */
    static final int ENDED_MAX = 4_096;

    /** One claim. Compared by identity. */
    public final class TrackedClaim {
        private final AllocationRequest request;
        /** Value of the logical clock at the end of the claim; 0 while the claim is in flight. */
        private long endedAt;

        private TrackedClaim(AllocationRequest request) {
            this.request = request;
        }

        /**
         * Ends a claim that wrote nothing, or whose outcome the caller resolves. Only the first call of this method or
         * {@link #endHolding} has an effect.
         */
        public void endRefused() {
            end(this, false);
        }

        /** Ends a claim that holds, or whose outcome is unknown. */
        public void endHolding() {
            end(this, true);
        }
    }

    private final Set<TrackedClaim> inFlight = new LinkedHashSet<>();
    /** Finished claims that may hold, in the order of their ends. */
    private final ArrayDeque<TrackedClaim> ended = new ArrayDeque<>();
    private long clock;

    /** Returns the present moment of a logical clock, which is before every begin or end of a claim after this call. */
    synchronized long now() {
        return ++clock;
    }

    synchronized TrackedClaim begin(AllocationRequest request) {
        TrackedClaim claim = new TrackedClaim(request);
        inFlight.add(claim);
        return claim;
    }

    private synchronized void end(TrackedClaim claim, boolean mayHold) {
        if (inFlight.remove(claim) && mayHold) {
            claim.endedAt = ++clock;
            ended.addLast(claim);
            if (ended.size() > ENDED_MAX) {
                ended.removeFirst();
            }
        }
    }

    /**
     * Returns the amounts that the response to a query may not include.
     *
     * @param askedAt a moment of {@link #now} before the query was sent
     */
    InFlightCharges chargesSince(long askedAt) {
        return chargesSince(askedAt, _ -> true);
    }

    /**
     * Returns the amounts that the response to a query may not include, for some providers only.
     *
     * @param askedAt a moment of {@link #now} before the query was sent
     * @param providerFilter whether the amounts of the provider with this uuid are returned
     */
    synchronized InFlightCharges chargesSince(long askedAt, Predicate<String> providerFilter) {
        Map<String, Map<String, Long>> byProvider = new HashMap<>();
        List<Set<String>> claims = new ArrayList<>();
        for (TrackedClaim claim : inFlight) {
            add(claim.request, providerFilter, byProvider);
            claims.add(claim.request.allocations().keySet());
        }
        var latest = ended.descendingIterator();
        while (latest.hasNext()) {
            TrackedClaim claim = latest.next();
            if (claim.endedAt < askedAt) {
                break;
            }
            add(claim.request, providerFilter, byProvider);
            claims.add(claim.request.allocations().keySet());
        }
        return new InFlightCharges(byProvider, claims);
    }

    private static void add(
            AllocationRequest request, Predicate<String> providerFilter, Map<String, Map<String, Long>> byProvider) {
        request.allocations().forEach((provider, amounts) -> {
            if (providerFilter.test(provider)) {
                Map<String, Long> sums = byProvider.computeIfAbsent(provider, _ -> new HashMap<>());
                amounts.forEach((name, amount) -> sums.merge(name, amount, Long::sum));
            }
        });
    }
}
