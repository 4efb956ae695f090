package io.berth.scheduler.placement.racing;

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
 * The claims this scheduler is making, and those made last: an answer that was asked for before a claim had ended may
 * not show it. Other schedulers' claims are not known here; those are met by the claim itself. Bounded; any thread may
 * call.
 */
public final class ClaimsUnderway {
    /** An answer older than so many claims is read without the first of them. */
    static final int MADE_MAX = 4_096;

    /** One claim. Its identity counts. */
    public final class Underway {
        private final AllocationRequest request;
        private long madeAt;

        private Underway(AllocationRequest request) {
            this.request = request;
        }

        /** Refused: it used nothing. Only the first call of either counts. */
        public void refused() {
            end(this, false);
        }

        /** Made, or perhaps made. */
        public void made() {
            end(this, true);
        }
    }

    private final Set<Underway> open = new LinkedHashSet<>();
    /** In the order of their ends. */
    private final ArrayDeque<Underway> made = new ArrayDeque<>();
    private long clock;

    /** A moment before everything that begins or ends after this call. */
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

    /** What an answer asked for at that moment may not show. */
    Charges since(long askedAt) {
        return since(askedAt, _ -> true);
    }

    /** The same of these providers. */
    synchronized Charges since(long askedAt, Predicate<String> provider) {
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
        return new Charges(byProvider, claims);
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
