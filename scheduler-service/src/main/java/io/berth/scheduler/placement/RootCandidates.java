package io.berth.scheduler.placement;

import java.util.List;
import java.util.Objects;

/**
 * What one answer says of one provider tree. Immutable, and kept from answer to answer: while placement says that
 * neither the tree nor its candidates changed, the next answer to the same query holds the same object. So whatever was
 * derived from it holds as long as it is the same ({@code ==}).
 *
 * @param rootUuid root of the tree
 * @param summaries of the tree's providers, in placement's order; empty if placement told nothing of it
 * @param requests all that take anything from this tree, in placement's order; one that takes from several trees is
 *     listed in each of them. Empty for a tree that is only summarised
 */
public record RootCandidates(String rootUuid, List<ProviderSummary> summaries, List<AllocationRequest> requests) {
    public RootCandidates {
        Objects.requireNonNull(rootUuid, "rootUuid");
        Objects.requireNonNull(summaries, "summaries");
        Objects.requireNonNull(requests, "requests");
    }

    /** Null when the provider does not stand in this tree. Trees are small: looked for one by one. */
    public ProviderSummary find(String providerUuid) {
        for (ProviderSummary summary : summaries) {
            if (summary.uuid().equals(providerUuid)) {
                return summary;
            }
        }
        return null;
    }

    /** Whether a request takes from no other tree than this. */
    public boolean holdsAllOf(AllocationRequest request) {
        for (String provider : request.allocations().keySet()) {
            if (!provider.equals(rootUuid) && find(provider) == null) {
                return false;
            }
        }
        return true;
    }
}
