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
 * The claims that this scheduler is making, and those it made last: a response to a query sent before a claim ended
 * may not include it. Claims of other schedulers are not known here; placement resolves those conflicts. Bounded;
 * thread-safe.
 */
public final class InFlightClaims {
    /** Maximum finished claims to remember; a response older than that is charged without the oldest of them. */
    static final int MADE_MAX = 4_096;

    /** One claim, compared by identity. */
    public final class Underway {
        private final AllocationRequest request;
        private long madeAt;

        private Underway(AllocationRequest request) {
            this.request = request;
        }

        /** Ends a refused claim, which used nothing. Only the first call of either method counts. */
        public void refused() {
            end(this, false);
        }

        /** Ends a claim that was made, or whose outcome is unknown. */
        public void made() {
            end(this, true);
        }
    }

    private final Set<Underway> open = new LinkedHashSet<>();
    /** Finished claims in the order of their ends. */
    private final ArrayDeque<Underway> made = new ArrayDeque<>();
    private long clock;

    /** Returns a moment before everything that begins or ends after this call. */
    synchronized long now() {
        return ++clock;
    }

    synchronized Underway begin(AllocationRequest request) {
        Underway claim = new Underway(request);
        open.add(claim);
        return claim;
    }

    private synchronized void end(Underway claim, boolean mayHold) {
        if (open.remove(claim) && mayHold) {
            claim.madeAt = ++clock;
            made.addLast(claim);
            if (made.size() > MADE_MAX) {
                made.removeFirst();
            }
        }
    }

    /** Returns the charges that a response to a query sent at that moment may not include. */
    InFlightCharges since(long askedAt) {
        return since(askedAt, _ -> true);
    }

    /** Returns the same charges for some providers only. */
    synchronized InFlightCharges since(long askedAt, Predicate<String> provider) {
        Map<String, Map<String, Long>> byProvider = new HashMap<>();
        List<Set<String>> claims = new ArrayList<>();
        for (Underway claim : open) {
            add(claim.request, provider, byProvider);
            claims.add(claim.request.allocations().keySet());
        }
        var latest = made.descendingIterator();
        while (latest.hasNext()) {
            Underway claim = latest.next();
            if (claim.madeAt < askedAt) {
                break;
            }
            add(claim.request, provider, byProvider);
            claims.add(claim.request.allocations().keySet());
        }
        return new InFlightCharges(byProvider, claims);
    }

    private static void add(
            AllocationRequest request, Predicate<String> wanted, Map<String, Map<String, Long>> byProvider) {
        request.allocations().forEach((provider, amounts) -> {
            if (wanted.test(provider)) {
                Map<String, Long> sums = byProvider.computeIfAbsent(provider, made -> new HashMap<>());
                amounts.forEach((name, amount) -> sums.merge(name, amount, Long::sum));
            }
        });
    }
}
