package io.berth.scheduler.placement;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;

/**
 * The answer to a question for allocation candidates, tree by tree. Immutable. Two answers to one query share the
 * {@link RootCandidates} of the trees that did not change between them.
 *
 * <p>Trees come in the order in which placement's candidates first name them; those that no candidate names come last.
 */
public final class AllocationCandidates {
    public static final AllocationCandidates NONE = new AllocationCandidates(List.of());

    private final List<RootCandidates> roots;
    /** Made when first asked for; the same whoever makes them. */
    private List<AllocationRequest> requests;
    private Map<String, ProviderSummary> summaries;

    /** @param roots each root once */
    public AllocationCandidates(List<RootCandidates> roots) {
        this.roots = Objects.requireNonNull(roots, "roots");
    }

    /**
     * @param requests in placement's order
     * @param summaries by provider uuid, in placement's order; whole trees
     */
    public AllocationCandidates(List<AllocationRequest> requests, Map<String, ProviderSummary> summaries) {
        this(RootGrouping.group(requests, summaries));
    }

    public List<RootCandidates> roots() {
        return roots;
    }

    public boolean isEmpty() {
        for (RootCandidates root : roots) {
            if (!root.requests().isEmpty()) {
                return false;
            }
        }
        return true;
    }

    /** Null when the answer does not tell of that provider. Costs a comparison per provider. */
    public ProviderSummary find(String providerUuid) {
        for (RootCandidates root : roots) {
            ProviderSummary found = root.find(providerUuid);
            if (found != null) {
                return found;
            }
        }
        return null;
    }

    /** Every request once, tree by tree. */
    public List<AllocationRequest> requests() {
        List<AllocationRequest> all = requests;
        if (all == null) {
            Set<AllocationRequest> severalTimes = new LinkedHashSet<>();
            all = new ArrayList<>(roots.size());
            for (RootCandidates root : roots) {
                for (AllocationRequest request : root.requests()) {
                    if (root.holdsAllOf(request) || severalTimes.add(request)) {
                        all.add(request);
                    }
                }
            }
            requests = all;
        }
        return all;
    }

    /** By provider uuid, tree by tree. */
    public Map<String, ProviderSummary> summaries() {
        Map<String, ProviderSummary> all = summaries;
        if (all == null) {
            all = LinkedHashMap.newLinkedHashMap(roots.size());
            for (RootCandidates root : roots) {
                for (ProviderSummary summary : root.summaries()) {
                    all.put(summary.uuid(), summary);
                }
            }
            summaries = all;
        }
        return all;
    }

    /** The other's requests behind ours; its summaries win, having been read later. */
    public AllocationCandidates followedBy(AllocationCandidates other) {
        if (roots.isEmpty()) {
            return other;
        }
        Map<String, RootCandidates> merged = LinkedHashMap.newLinkedHashMap(roots.size() + other.roots.size());
        roots.forEach(root -> merged.put(root.rootUuid(), root));
        other.roots.forEach(root -> merged.merge(root.rootUuid(), root, AllocationCandidates::joined));
        return new AllocationCandidates(List.copyOf(merged.values()));
    }

    private static RootCandidates joined(RootCandidates ours, RootCandidates theirs) {
        List<AllocationRequest> both = new ArrayList<>(ours.requests());
        both.addAll(theirs.requests());
        return new RootCandidates(
                ours.rootUuid(), theirs.summaries().isEmpty() ? ours.summaries() : theirs.summaries(), both);
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof AllocationCandidates that && roots.equals(that.roots);
    }

    @Override
    public int hashCode() {
        return roots.hashCode();
    }

    @Override
    public String toString() {
        return "AllocationCandidates" + roots;
    }
}
