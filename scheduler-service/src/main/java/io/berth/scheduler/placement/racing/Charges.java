package io.berth.scheduler.placement.racing;

import io.berth.scheduler.placement.AllocationCandidates;
import io.berth.scheduler.placement.AllocationCandidates.Change;
import io.berth.scheduler.placement.AllocationRequest;
import io.berth.scheduler.placement.ProviderSummary;
import io.berth.scheduler.placement.ProviderTree;
import io.berth.scheduler.placement.TreeRequests;
import jakarta.annotation.Nullable;
import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Amounts that an answer does not show as used yet, and is to be read with. Pure.
 *
 * @param byProvider provider uuid to resource class to amount
 */
record Charges(Map<String, Map<String, Long>> byProvider) {
    /**
     * The answer with these amounts used: summaries show them, requests that do not fit any more are left out, and so
     * are trees left without any. The answer itself when nothing of it is concerned, or when nothing would be left:
     * that it is all taken is placement's to say.
     */
    AllocationCandidates on(AllocationCandidates answer) {
        Map<String, ProviderSummary> charged = new HashMap<>();
        BitSet concerned = new BitSet();
        byProvider.forEach((provider, amounts) -> {
            int position = answer.positionOf(provider);
            if (position >= 0) {
                charged.put(provider, charge(answer.tree(position).find(provider), amounts));
                concerned.set(position);
            }
        });
        if (charged.isEmpty()) {
            return answer;
        }
        if (charged.values().stream().anyMatch(ProviderSummary::sharing)) {
            for (int i = 0; i < answer.treeCount(); i++) {
                concerned.set(i, concerned.get(i) || !answer.isFromRoot(i));
            }
        }
        AllocationCandidates next =
                answer.with(concerned.stream().toArray(), position -> charge(answer, position, charged));
        return next.isEmpty() ? answer : next;
    }

    /** Whether the request still fits with these amounts used; it does where the answer does not know its providers. */
    boolean leaveRoom(AllocationCandidates answer, AllocationRequest request) {
        Map<String, ProviderSummary> charged = new HashMap<>();
        for (String provider : request.allocations().keySet()) {
            Map<String, Long> amounts = byProvider.get(provider);
            ProviderSummary summary = amounts == null ? null : answer.find(provider);
            if (summary != null) {
                charged.put(provider, charge(summary, amounts));
            }
        }
        return fits(request, charged);
    }

    private static ProviderSummary charge(ProviderSummary summary, Map<String, Long> amounts) {
        Map<String, ProviderSummary.Usage> resources = HashMap.newHashMap(summary.resources().size());
        summary.resources().forEach((name, usage) -> resources.put(
                name,
                new ProviderSummary.Usage(usage.capacity(), usage.used() + amounts.getOrDefault(name, 0L))));
        return new ProviderSummary(summary.uuid(), summary.rootUuid(), resources, summary.sharing());
    }

    /** Null when the tree had requests and none is left; the very tree when none of this is about it. */
    private static @Nullable Change charge(
            AllocationCandidates answer, int position, Map<String, ProviderSummary> charged) {
        List<AllocationRequest> requests = answer.requests(position).list();
        List<AllocationRequest> fitting =
                requests.stream().filter(request -> fits(request, charged)).toList();
        if (fitting.isEmpty() && !requests.isEmpty()) {
            return null;
        }
        ProviderTree tree = answer.tree(position);
        return new Change(
                tree.summaries().stream().anyMatch(summary -> charged.containsKey(summary.uuid()))
                        ? new ProviderTree(
                                tree.rootUuid(),
                                tree.summaries().stream()
                                        .map(summary -> charged.getOrDefault(summary.uuid(), summary))
                                        .toList())
                        : tree,
                fitting.size() == requests.size() ? null : new TreeRequests.Listed(fitting));
    }

    private static boolean fits(AllocationRequest request, Map<String, ProviderSummary> charged) {
        for (var allocation : request.allocations().entrySet()) {
            ProviderSummary summary = charged.get(allocation.getKey());
            if (summary != null) {
                for (var amount : allocation.getValue().entrySet()) {
                    ProviderSummary.Usage usage = summary.resources().get(amount.getKey());
                    if (usage != null && usage.used() + amount.getValue() > usage.capacity()) {
                        return false;
                    }
                }
            }
        }
        return true;
    }
}
