package io.berth.scheduler.placement.candidate;

import jakarta.annotation.Nullable;
import java.util.HashMap;
import java.util.Map;

/**
 * Tracks the capacity that the earlier instances of a request leave to the later ones, when the hosts of all instances
 * are decided before anything is claimed: in a dry run, and before a claim for all instances in one write. Otherwise
 * placement refuses a claim that does not fit. Mutable; not thread-safe.
 */
public final class RemainingCapacity {
    private final AllocationCandidates candidates;
    private final Map<String, Map<String, Long>> takenAmounts = new HashMap<>();

    public RemainingCapacity(AllocationCandidates candidates) {
        this.candidates = candidates;
    }

    /**
     * Adds the amounts of a candidate to those taken before.
     *
     * @param allocations provider uuid to resource class to amount
     * @return false if a provider has too little capacity for these amounts and those taken before; then nothing is
     *     added. A provider from which nothing was taken before is not checked, because placement has checked the
     *     candidate
     */
    public boolean tryTake(Map<String, Map<String, Long>> allocations) {
        for (Map.Entry<String, Map<String, Long>> allocation : allocations.entrySet()) {
            Map<String, Long> before = takenAmounts.get(allocation.getKey());
            if (before != null && !fits(allocation.getValue(), before, candidates.find(allocation.getKey()))) {
                return false;
            }
        }
        allocations.forEach((provider, amounts) -> {
            Map<String, Long> sums = takenAmounts.computeIfAbsent(provider, _ -> new HashMap<>());
            amounts.forEach((name, amount) -> sums.merge(name, amount, Long::sum));
        });
        return true;
    }

    private static boolean fits(
            Map<String, Long> amounts, Map<String, Long> takenBefore, @Nullable ProviderSummary summary) {
        return summary == null || summary.chargedWith(takenBefore).hasRoomFor(amounts);
    }
}
