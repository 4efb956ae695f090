package io.berth.scheduler.placement.candidate;

import jakarta.annotation.Nullable;
import java.util.AbstractList;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.RandomAccess;
import java.util.Set;
import java.util.function.IntFunction;

/**
 * The response to a query for allocation candidates, by provider tree. Immutable. Responses share their
 * {@link ProviderTree}s, and create allocation requests lazily.
 *
 * <p>Trees are in the order in which placement's candidates first name them; trees without a candidate come last. The
 * position of a tree is its index in this order.
 */
public final class AllocationCandidates {
    public static final AllocationCandidates NONE = new AllocationCandidates(List.of());

    private final ProviderTree[] trees;
    /**
     * Allocation requests by position of the tree. The element is null for a tree whose only request takes all parts of
     * the query from the root; the array is null if this holds for all trees.
     */
    private final @Nullable TreeRequests[] requests;
    /** The parts of the query, from which the requests that {@link #requests} omits are made. */
    private final QueryParts parts;
    /** See {@link #fleetPosition()}. */
    private final @Nullable FleetPosition fleetPosition;
    /** Created on first use. Threads that race create equal objects. */
    private @Nullable ProviderPositions positions;

    /**
     * Makes candidates that keep the arrays without copying them.
     *
     * @param trees each tree once
     * @param requests by position; the element is null for a tree whose only request takes all parts of the query from
     *     the root, the array is null if this holds for all trees
     * @param fleetPosition the last change that placement had applied when it responded; null if placement does not
     *     return it
     */
    public AllocationCandidates(
            ProviderTree[] trees, @Nullable TreeRequests[] requests, QueryParts parts,
            @Nullable FleetPosition fleetPosition) {
        this.trees = trees;
        this.requests = requests;
        this.parts = parts;
        this.fleetPosition = fleetPosition;
    }

    /** Makes candidates of a Placement that returns no {@link FleetPosition}. */
    public AllocationCandidates(ProviderTree[] trees, @Nullable TreeRequests[] requests, QueryParts parts) {
        this(trees, requests, parts, null);
    }

    /** @param roots each root once */
    public AllocationCandidates(List<RootCandidates> roots) {
        this(
                roots.stream().map(RootCandidates::tree).toArray(ProviderTree[]::new),
                roots.stream().map(root -> new TreeRequests.Listed(root.requests())).toArray(TreeRequests[]::new),
                QueryParts.NONE);
    }

    /**
     * @param requests in placement's order
     * @param summaries by provider uuid, in placement's order; whole trees
     */
    public AllocationCandidates(List<AllocationRequest> requests, Map<String, ProviderSummary> summaries) {
        this(RootGrouping.group(requests, summaries));
    }

    /** Returns the last change that placement had applied when it responded; null if placement does not return it. */
    public @Nullable FleetPosition fleetPosition() {
        return fleetPosition;
    }

    public int treeCount() {
        return trees.length;
    }

    public ProviderTree tree(int position) {
        return trees[position];
    }

    /** Returns all allocation requests that use a provider of the tree at this position. */
    public TreeRequests requests(int position) {
        TreeRequests listed = listed(position);
        return listed == null ? new TreeRequests.Listed(List.of(parts.of(trees[position].rootUuid()))) : listed;
    }

    /** Returns whether the only request of the tree at this position takes all parts of the query from the root. */
    public boolean isFromRoot(int position) {
        return listed(position) == null;
    }

    private @Nullable TreeRequests listed(int position) {
        return requests == null ? null : requests[position];
    }

    /** Returns whether an allocation request uses this provider of the tree at this position. */
    public boolean takesFrom(int position, String providerUuid) {
        TreeRequests listed = listed(position);
        return listed == null ? providerUuid.equals(trees[position].rootUuid()) : listed.takeFrom(providerUuid);
    }

    /** Returns a list view that creates an element, with its allocation requests, at each access. */
    public List<RootCandidates> roots() {
        return new Roots();
    }

    private final class Roots extends AbstractList<RootCandidates> implements RandomAccess {
        @Override
        public RootCandidates get(int position) {
            return new RootCandidates(trees[position], requests(position).list());
        }

        @Override
        public int size() {
            return trees.length;
        }
    }

    /** Returns whether there is no allocation request. */
    public boolean isEmpty() {
        for (int i = 0; i < trees.length; i++) {
            TreeRequests listed = listed(i);
            if (listed == null || !listed.isEmpty()) {
                return false;
            }
        }
        return true;
    }

    /**
     * Returns the position of the tree that contains a provider; -1 if no tree does. The first call builds an index of
     * all providers.
     */
    public int positionOf(String providerUuid) {
        ProviderPositions index = positions;
        if (index == null) {
            index = new ProviderPositions(trees);
            positions = index;
        }
        return index.find(providerUuid);
    }

    /**
     * Returns the summary of a provider; null if no tree contains it. The first call builds an index of all providers.
     */
    public @Nullable ProviderSummary find(String providerUuid) {
        int position = positionOf(providerUuid);
        return position < 0 ? null : trees[position].find(providerUuid);
    }

    /** Returns every allocation request once, in the order of the trees. Creates the requests that do not exist yet. */
    public List<AllocationRequest> requests() {
        // A request that uses providers of several trees is in the list of each of these trees.
        Set<AllocationRequest> spanningTrees = new LinkedHashSet<>();
        List<AllocationRequest> all = new ArrayList<>(trees.length);
        for (int i = 0; i < trees.length; i++) {
            for (AllocationRequest request : requests(i).list()) {
                if (trees[i].holdsAllOf(request) || spanningTrees.add(request)) {
                    all.add(request);
                }
            }
        }
        return all;
    }

    /**
     * Returns the candidates with some trees changed or left out.
     *
     * @param changed positions of the trees to change
     * @param change returns the change of the tree at a position; null to leave the tree out
     */
    public AllocationCandidates with(int[] changed, IntFunction<Change> change) {
        ProviderTree[] nextTrees = trees.clone();
        TreeRequests[] nextRequests = requests == null ? new TreeRequests[trees.length] : requests.clone();
        boolean isAnyLeftOut = false;
        for (int position : changed) {
            Change treeChange = change.apply(position);
            nextTrees[position] = treeChange == null ? null : treeChange.tree();
            nextRequests[position] = treeChange == null || treeChange.requests() == null
                    ? nextRequests[position]
                    : treeChange.requests();
            isAnyLeftOut |= treeChange == null;
        }
        int count = nextTrees.length;
        if (isAnyLeftOut) {
            count = 0;
            for (int i = 0; i < nextTrees.length; i++) {
                if (nextTrees[i] != null) {
                    nextTrees[count] = nextTrees[i];
                    nextRequests[count++] = nextRequests[i];
                }
            }
        }
        return new AllocationCandidates(
                Arrays.copyOf(nextTrees, count), Arrays.copyOf(nextRequests, count), parts, fleetPosition);
    }

    /**
     * The change of one tree.
     *
     * @param requests the new allocation requests; null to keep them
     */
    public record Change(ProviderTree tree, @Nullable TreeRequests requests) {}

    /**
     * Returns a copy with a later response merged into it. Appends the allocation requests of the later response. Where
     * both responses have summaries of a tree, keeps those of the later response. The {@link #fleetPosition} is that of
     * this response. If this response has no trees, returns the later one.
     */
    public AllocationCandidates followedBy(AllocationCandidates other) {
        if (trees.length == 0) {
            return other;
        }
        Map<String, Merged> merged = LinkedHashMap.newLinkedHashMap(trees.length + other.trees.length);
        for (int i = 0; i < trees.length; i++) {
            merged.put(trees[i].rootUuid(), new Merged(trees[i], requests(i)));
        }
        for (int i = 0; i < other.trees.length; i++) {
            merged.merge(
                    other.trees[i].rootUuid(), new Merged(other.trees[i], other.requests(i)),
                    AllocationCandidates::mergeTree);
        }
        return new AllocationCandidates(
                merged.values().stream().map(Merged::tree).toArray(ProviderTree[]::new),
                merged.values().stream().map(Merged::requests).toArray(TreeRequests[]::new),
                parts,
                fleetPosition);
    }

    private record Merged(ProviderTree tree, TreeRequests requests) {}

    private static Merged mergeTree(Merged earlier, Merged later) {
        return new Merged(
                later.tree().summaries().isEmpty() ? earlier.tree() : later.tree(),
                earlier.requests().followedBy(later.requests()));
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof AllocationCandidates that && roots().equals(that.roots());
    }

    @Override
    public int hashCode() {
        return Arrays.hashCode(trees);
    }

    @Override
    public String toString() {
        return "AllocationCandidates" + roots();
    }
}
