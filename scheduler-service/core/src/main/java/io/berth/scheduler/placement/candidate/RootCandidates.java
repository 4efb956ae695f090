package io.berth.scheduler.placement.candidate;

import java.util.List;
import java.util.Objects;

/**
 * The part of a response that concerns one provider tree.
 *
 * @param requests all allocation requests that use a provider of the tree, in placement's order. A request that uses
 *     several trees is in the list of each. Empty for a tree without candidates
 */
public record RootCandidates(ProviderTree tree, List<AllocationRequest> requests) {
    public RootCandidates {
        Objects.requireNonNull(tree, "tree");
        Objects.requireNonNull(requests, "requests");
    }

    public RootCandidates(String rootUuid, List<ProviderSummary> summaries, List<AllocationRequest> requests) {
        this(new ProviderTree(rootUuid, summaries), requests);
    }
}
