package io.berth.scheduler.placement.inflight;

import io.berth.scheduler.placement.candidate.AllocationCandidates.Change;
import io.berth.scheduler.placement.candidate.AllocationCandidates;
import io.berth.scheduler.placement.candidate.AllocationRequest;
import io.berth.scheduler.placement.candidate.ProviderSummary;
import io.berth.scheduler.placement.candidate.ProviderTree;
import io.berth.scheduler.placement.candidate.TreeRequests;
import jakarta.annotation.Nullable;
import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;

/**
 * The amounts of {@linkplain InFlightClaims claims of this replica} that a response of placement may not include. Pure.
 *
 * @param byProvider provider uuid to resource class to amount
 * @param claims for each claim, the uuids of its providers
 */
record InFlightCharges(Map<String, Map<String, Long>> byProvider, List<Set<String>> claims) {
    /**
     * Returns the response with these amounts added to the used ones. Leaves out allocation requests that do not fit
     * any more, and trees that have lost all their requests. Returns the response unchanged if it has none of the
     * providers, or if no request would be left: only placement may decide that there is no capacity, because the
     * claims may still fail.
     */
    AllocationCandidates addTo(AllocationCandidates answer) {
        if (byProvider.isEmpty()) {
            return answer;
        }
        Map<Integer, Map<String, Map<String, Long>>> byTree = new HashMap<>();
        Map<String, Integer> positions = new HashMap<>();
        for (int i = 0; i < answer.treeCount(); i++) {
            for (ProviderSummary summary : answer.tree(i).summaries()) {
                Map<String, Long> amounts = byProvider.get(summary.uuid());
                if (amounts != null) {
                    positions.put(summary.uuid(), i);
                    byTree.computeIfAbsent(i, _ -> new HashMap<>()).put(summary.uuid(), amounts);
                }
            }
        }
        if (byTree.isEmpty()) {
            return answer;
        }
        Map<Integer, Integer> claimsByTree = claimsBy(positions);
        Map<Integer, ProviderTree> trees = new HashMap<>();
        Map<String, ProviderSummary> chargedSummaries = new HashMap<>();
        BitSet changedTrees = new BitSet();
        byTree.forEach((position, amounts) -> {
            ProviderTree tree = answer.tree(position).chargedWith(amounts, claimsByTree.getOrDefault(position, 0));
            trees.put(position, tree);
            amounts.keySet().forEach(provider -> chargedSummaries.put(provider, tree.find(provider)));
            changedTrees.set(position);
        });
        // The requests of any tree may use a sharing provider, except those that take everything from the root.
        if (chargedSummaries.values().stream().anyMatch(ProviderSummary::sharing)) {
            for (int i = 0; i < answer.treeCount(); i++) {
                changedTrees.set(i, changedTrees.get(i) || !answer.isFromRoot(i));
            }
        }
        AllocationCandidates next = answer.with(changedTrees.stream().toArray(), position -> charge(
                answer, position, trees.getOrDefault(position, answer.tree(position)), chargedSummaries));
        return next.isEmpty() ? answer : next;
    }

    /**
     * Counts the claims per tree.
     *
     * @param positions provider uuid to the position of its tree
     */
    private Map<Integer, Integer> claimsBy(Map<String, Integer> positions) {
        Map<Integer, Integer> counts = new HashMap<>();
        claims.forEach(claim -> claim.stream()
                .map(positions::get).filter(Objects::nonNull).distinct()
                .forEach(position -> counts.merge(position, 1, Integer::sum)));
        return counts;
    }

    /**
     * Returns whether an allocation request still fits if these amounts are used, too. Ignores providers that the
     * response does not contain.
     */
    boolean leaveRoom(AllocationCandidates answer, AllocationRequest request) {
        Map<String, ProviderSummary> chargedSummaries = new HashMap<>();
        for (String provider : request.allocations().keySet()) {
            Map<String, Long> amounts = byProvider.get(provider);
            ProviderSummary summary = amounts == null ? null : answer.find(provider);
            if (amounts != null && summary != null) {
                chargedSummaries.put(provider, summary.chargedWith(amounts));
            }
        }
        return fits(request, chargedSummaries);
    }

    /**
     * Returns the change of one tree; null if the tree had allocation requests and none fits any more.
     *
     * @param tree the tree with the amounts added
     * @param chargedSummaries provider uuid to its summary with the amounts added, for all trees
     */
    private static @Nullable Change charge(
            AllocationCandidates answer, int position, ProviderTree tree,
            Map<String, ProviderSummary> chargedSummaries) {
        List<AllocationRequest> requests = answer.requests(position).list();
        List<AllocationRequest> fitting =
                requests.stream().filter(request -> fits(request, chargedSummaries)).toList();
        return fitting.isEmpty() && !requests.isEmpty()
                ? null
                : new Change(tree, fitting.size() == requests.size() ? null : new TreeRequests.Listed(fitting));
    }

    private static boolean fits(AllocationRequest request, Map<String, ProviderSummary> chargedSummaries) {
        for (var allocation : request.allocations().entrySet()) {
            ProviderSummary summary = chargedSummaries.get(allocation.getKey());
            if (summary != null && !summary.hasRoomFor(allocation.getValue())) {
                return false;
            }
        }
        return true;
    }
}
