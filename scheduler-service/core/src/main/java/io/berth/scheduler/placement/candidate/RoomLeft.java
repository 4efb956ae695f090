package io.berth.scheduler.placement.candidate;

import jakarta.annotation.Nullable;
import java.util.HashMap;
import java.util.Map;

/**
 * Tracks the capacity that the earlier instances of a request leave to the later ones, on the providers of a response.
 * For decisions that do not claim, and so get no refusal from placement. Mutable.
 */
public final class RoomLeft {
    private final AllocationCandidates offered;
    private final Map<String, Map<String, Long>> taken = new HashMap<>();

    public RoomLeft(AllocationCandidates offered) {
        this.offered = offered;
    }

    /**
     * Takes the amounts of one of the candidates.
     *
     * @param allocations provider uuid to resource class to amount
     * @return false if they do not fit in addition to those taken before; then none is taken
     */
    public boolean take(Map<String, Map<String, Long>> allocations) {
        for (Map.Entry<String, Map<String, Long>> each : allocations.entrySet()) {
            Map<String, Long> before = taken.get(each.getKey());
            if (before != null && !fit(each.getValue(), before, offered.find(each.getKey()))) {
                return false;
            }
        }
        allocations.forEach((provider, amounts) -> {
            Map<String, Long> sums = taken.computeIfAbsent(provider, made -> new HashMap<>());
            amounts.forEach((name, amount) -> sums.merge(name, amount, Long::sum));
        });
        return true;
    }

    private static boolean fit(Map<String, Long> amounts, Map<String, Long> before, @Nullable ProviderSummary summary) {
        return summary == null || summary.chargedWith(before).hasRoomFor(amounts);
    }
}
