package io.berth.scheduler.placement;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/**
 * The answer of GET /allocation_candidates.
 *
 * @param requests in placement's order
 * @param summaries by provider uuid, in placement's order; whole trees
 */
public record AllocationCandidates(List<AllocationRequest> requests, Map<String, ProviderSummary> summaries) {
    public static final AllocationCandidates NONE = new AllocationCandidates(List.of(), Map.of());

    public AllocationCandidates {
        Objects.requireNonNull(requests, "requests");
        Objects.requireNonNull(summaries, "summaries");
    }

    public boolean isEmpty() {
        return requests.isEmpty();
    }

    /** The other's requests behind ours; its summaries win, having been read later. */
    public AllocationCandidates followedBy(AllocationCandidates other) {
        List<AllocationRequest> both = new ArrayList<>(requests);
        both.addAll(other.requests);
        Map<String, ProviderSummary> merged = new LinkedHashMap<>(summaries);
        merged.putAll(other.summaries);
        return new AllocationCandidates(both, merged);
    }
}
