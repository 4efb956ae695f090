package io.berth.scheduler.placement.candidate;

import jakarta.annotation.Nullable;
import java.util.HashMap;
import java.util.Map;

/**
 * Tracks the capacity that the earlier instances of a request leave to the later ones, in decisions that do not claim.
 * They need it because placement refuses nothing there. Mutable; not thread-safe.
 */
public final class RemainingCapacity {
    private final AllocationCandidates offered;
    private final Map<String, Map<String, Long>> takenAmounts = new HashMap<>();

    public RemainingCapacity(AllocationCandidates offered) {
        this.offered = offered;
    }

    /**
     * Adds the amounts of a candidate to those taken before.
     *
     * @param allocations provider uuid to resource class to amount
     * @return false if the amounts do not fit beside those taken before; then nothing is added
     */
    public boolean take(Map<String, Map<String, Long>> allocations) {
        for (Map.Entry<String, Map<String, Long>> each : allocations.entrySet()) {
            Map<String, Long> before = takenAmounts.get(each.getKey());
            if (before != null && !fit(each.getValue(), before, offered.find(each.getKey()))) {
                return false;
            }
        }
        allocations.forEach((provider, amounts) -> {
            Map<String, Long> sums = takenAmounts.computeIfAbsent(provider, _ -> new HashMap<>());
            amounts.forEach((name, amount) -> sums.merge(name, amount, Long::sum));
        });
        return true;
    }

    private static boolean fit(Map<String, Long> amounts, Map<String, Long> before, @Nullable ProviderSummary summary) {
        return summary == null || summary.chargedWith(before).hasRoomFor(amounts);
    }
}
