package io.berth.scheduler.placement.feed;

import io.berth.scheduler.placement.candidate.AllocationCandidates;
import io.berth.scheduler.placement.candidate.AllocationRequest;
import io.berth.scheduler.placement.candidate.ProviderSummary;
import io.berth.scheduler.placement.candidate.ProviderTree;
import io.berth.scheduler.placement.candidate.QueryParts;
import io.berth.scheduler.placement.candidate.TreeRequests;
import jakarta.annotation.Nullable;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;

/**
 * Finds the trees that one response refers to: in the {@link TreeTable}, among the changed trees in the response
 * itself, or in the responses to second queries. Used for one response; not thread-safe.
 */
final class Resolution {
    private final References answer;
    private final TreeTable table;
    /** The found trees, by index of the reference; null for a tree that is missing. */
    private final ReceivedTree[] trees;
    /** True if every found tree is in the state that the response refers to, not in a later one. */
    private boolean isExact = true;
    /** Provider id to uuid, for all found trees; created when a request uses providers of several trees. */
    private volatile @Nullable Map<Long, String> uuids;

    private Resolution(References answer, TreeTable table) {
        this.answer = answer;
        this.table = table;
        this.trees = new ReceivedTree[answer.count()];
    }

    /**
     * Resolves the response to a query on a scenario, which is the present fleet with changes. A tree must be in
     * exactly the state that the response refers to; nothing is stored in the table.
     */
    static Resolution ofScenario(References answer, TreeTable table) {
        var resolution = new Resolution(answer, table);
        Map<Long, ReceivedTree> changed = HashMap.newHashMap(answer.changed().size());
        answer.changed().forEach(tree -> changed.put(tree.id(), tree));
        for (int i = 0; i < resolution.trees.length; i++) {
            ReceivedTree received = changed.get(answer.id(i));
            resolution.set(i, received != null && received.version() == answer.version(i)
                    ? received
                    : table.findExactly(answer.id(i), answer.version(i)));
        }
        return resolution;
    }

    /**
     * Resolves the response to a query on the present fleet. The changed trees in the response are stored in the table.
     * A tree may be in a later state than the response refers to.
     */
    static Resolution of(References answer, TreeTable table) {
        var resolution = new Resolution(answer, table);
        table.countResponse();
        answer.changed().forEach(tree -> table.learn(tree, answer.fleetPosition()));
        table.receivedUpTo(answer.fleetPosition());
        for (int i = 0; i < resolution.trees.length; i++) {
            resolution.set(i, table.find(answer.id(i), answer.version(i), answer.fleetPosition()));
        }
        return resolution;
    }

    private void set(int position, @Nullable ReceivedTree tree) {
        trees[position] = tree;
        isExact &= tree == null || tree.version() == answer.version(position);
    }

    /** Returns the root ids of the missing trees, which must be queried. */
    long[] lacking() {
        return IntStream.range(0, trees.length).filter(i -> trees[i] == null).mapToLong(answer::id).toArray();
    }

    /**
     * Stores trees that were queried after the response. The trees may be in any state, because each state is later
     * than the response.
     */
    void learn(ReferencesParser.Trees received) {
        Map<Long, ReceivedTree> byId = HashMap.newHashMap(received.trees().size());
        received.trees().forEach(tree -> byId.put(tree.id(), table.learn(tree, received.fleetPosition())));
        for (int i = 0; i < trees.length; i++) {
            ReceivedTree tree = trees[i] == null ? byId.get(answer.id(i)) : null;
            if (tree != null) {
                set(i, tree);
            }
        }
    }

    /**
     * Makes the candidates. A tree or provider that is still missing was deleted after the response, so every
     * allocation request that uses it is left out.
     */
    AllocationCandidates candidates() {
        ProviderTree[] found = new ProviderTree[trees.length];
        TreeRequests[] requests = answer.requests().isEmpty() ? null : new TreeRequests[trees.length];
        // Providers can be missing only if a tree is missing or in a later state.
        boolean mayLack = !isExact || Arrays.asList(trees).contains(null);
        int count = 0;
        for (int i = 0; i < trees.length; i++) {
            long[][] received = answer.requests().get(i);
            long[][] possible =
                    received == null || !mayLack || trees[i] == null ? received : possible(received, trees[i]);
            // A tree without requests has lost them, or was referenced only because requests of other trees name its
            // providers.
            if (trees[i] != null && (possible == null || possible.length > 0)) {
                found[count] = trees[i].tree();
                if (requests != null) {
                    requests[count] = possible == null ? null : new Requests(trees[i], possible);
                }
                count++;
            }
        }
        return count == found.length
                ? new AllocationCandidates(found, requests, answer.parts(), answer.fleetPosition())
                : new AllocationCandidates(
                        Arrays.copyOf(found, count),
                        requests == null ? null : Arrays.copyOf(requests, count),
                        answer.parts(),
                        answer.fleetPosition());
    }

    /** Returns the requests whose providers all exist in the found trees. */
    private long[][] possible(long[][] requests, ReceivedTree tree) {
        return Arrays.stream(requests)
                .filter(ids -> Arrays.stream(ids).allMatch(id -> uuidOf(id, tree) != null))
                .toArray(long[][]::new);
    }

    /**
     * Returns the uuid of a provider; null if no found tree contains the provider.
     *
     * @param likelyTree the tree that is searched first
     */
    private @Nullable String uuidOf(long providerId, ReceivedTree likelyTree) {
        String uuid = likelyTree.uuidOf(providerId);
        if (uuid != null) {
            return uuid;
        }
        Map<Long, String> index = uuids;
        if (index == null) {
            index = new HashMap<>();
            for (ReceivedTree tree : trees) {
                for (int i = 0; tree != null && i < tree.providerIds().length; i++) {
                    index.put(tree.providerIds()[i], tree.tree().summaries().get(i).uuid());
                }
            }
            uuids = index;
        }
        return index.get(providerId);
    }

    /** The allocation requests of one tree, created on first use. */
    private final class Requests implements TreeRequests {
        private final ReceivedTree tree;
        private final long[][] ids;
        private volatile @Nullable List<AllocationRequest> created;

        Requests(ReceivedTree tree, long[][] ids) {
            this.tree = tree;
            this.ids = ids;
        }

        @Override
        public synchronized List<AllocationRequest> list() {
            if (created == null) {
                created = Arrays.stream(ids).map(this::request).toList();
            }
            return created;
        }

        private AllocationRequest request(long[] providerIds) {
            return answer.parts().of(
                    Arrays.stream(providerIds).mapToObj(id -> uuidOf(id, tree)).toArray(String[]::new));
        }

        @Override
        public boolean takeFrom(String providerUuid) {
            List<ProviderSummary> providers = tree.tree().summaries();
            for (int i = 0; i < providers.size(); i++) {
                if (providers.get(i).uuid().equals(providerUuid)) {
                    return takeFrom(tree.providerIds()[i]);
                }
            }
            return false;
        }

        private boolean takeFrom(long providerId) {
            QueryParts parts = answer.parts();
            for (long[] request : ids) {
                for (int part = 0; part < request.length; part++) {
                    if (request[part] == providerId && parts.hasAmounts(part)) {
                        return true;
                    }
                }
            }
            return false;
        }

        @Override
        public boolean isEmpty() {
            // candidates() leaves out a tree without requests.
            return false;
        }
    }
}
