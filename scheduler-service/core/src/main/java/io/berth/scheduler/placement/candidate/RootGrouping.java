package io.berth.scheduler.placement.candidate;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Groups the allocation requests and summaries of a response in placement's standard form by provider tree. */
final class RootGrouping {
    /** The part of the response that concerns one tree, while it is collected. */
    private static final class Draft {
        final List<ProviderSummary> summaries = new ArrayList<>(1);
        final List<AllocationRequest> requests = new ArrayList<>(1);
    }

    private RootGrouping() {}

    /**
     * Groups a response. A provider without a summary is treated as the root of a tree.
     *
     * @param summaries by provider uuid
     */
    static List<RootCandidates> group(List<AllocationRequest> requests, Map<String, ProviderSummary> summaries) {
        Map<String, Draft> drafts = LinkedHashMap.newLinkedHashMap(summaries.size());
        for (AllocationRequest request : requests) {
            for (String provider : request.allocations().keySet()) {
                ProviderSummary summary = summaries.get(provider);
                String root = summary == null ? provider : summary.rootUuid();
                List<AllocationRequest> ofRoot = drafts.computeIfAbsent(root, _ -> new Draft()).requests;
                // A request that uses several providers of the tree is listed once.
                if (ofRoot.isEmpty() || ofRoot.getLast() != request) {
                    ofRoot.add(request);
                }
            }
        }
        for (ProviderSummary summary : summaries.values()) {
            drafts.computeIfAbsent(summary.rootUuid(), _ -> new Draft()).summaries.add(summary);
        }
        List<RootCandidates> roots = new ArrayList<>(drafts.size());
        drafts.forEach((root, draft) -> roots.add(new RootCandidates(root, draft.summaries, draft.requests)));
        return roots;
    }
}
