package io.berth.scheduler.placement.racing;

import io.berth.scheduler.placement.AllocationCandidates;
import io.berth.scheduler.placement.AllocationRequest;
import io.berth.scheduler.placement.ProviderSummary;
import io.berth.scheduler.placement.RootCandidates;
import jakarta.annotation.Nullable;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

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
        if (byProvider.isEmpty()) {
            return answer;
        }
        Map<String, ProviderSummary> charged = new HashMap<>();
        BitSet concerned = new BitSet();
        List<RootCandidates> roots = answer.roots();
        for (int i = 0; i < roots.size(); i++) {
            for (ProviderSummary summary : roots.get(i).summaries()) {
                Map<String, Long> amounts = byProvider.get(summary.uuid());
                if (amounts != null) {
                    charged.put(summary.uuid(), charge(summary, amounts));
                    concerned.set(i);
                }
            }
        }
        if (charged.isEmpty()) {
            return answer;
        }
        boolean everywhere = charged.values().stream().anyMatch(ProviderSummary::sharing);
        List<RootCandidates> next = new ArrayList<>(roots);
        if (everywhere) {
            next.replaceAll(root -> charge(root, charged));
        } else {
            concerned.stream().forEach(i -> next.set(i, charge(roots.get(i), charged)));
        }
        next.removeIf(Objects::isNull);
        return next.stream().allMatch(root -> root.requests().isEmpty())
                ? answer
                : new AllocationCandidates(next);
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

    /** Null when it had requests and none is left; the tree itself when none of this is about it. */
    private static @Nullable RootCandidates charge(RootCandidates root, Map<String, ProviderSummary> charged) {
        List<AllocationRequest> requests = root.requests();
        List<AllocationRequest> fitting =
                requests.stream().filter(request -> fits(request, charged)).toList();
        if (fitting.isEmpty() && !requests.isEmpty()) {
            return null;
        }
        boolean isConcerned =
                root.summaries().stream().anyMatch(summary -> charged.containsKey(summary.uuid()));
        if (!isConcerned && fitting.size() == requests.size()) {
            return root;
        }
        List<ProviderSummary> summaries = root.summaries().stream()
                .map(summary -> charged.getOrDefault(summary.uuid(), summary))
                .toList();
        return new RootCandidates(
                root.rootUuid(), summaries, fitting.size() == requests.size() ? requests : fitting);
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
