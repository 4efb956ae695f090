package io.berth.scheduler.placement.candidate;

import java.util.List;
import java.util.Objects;

/**
 * The part of a response that concerns one provider tree.
 *
 * @param requests all that take anything from this tree, in placement's order; a request that takes from several
 *     trees is listed in each of them. Empty for a tree that only has summaries
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
