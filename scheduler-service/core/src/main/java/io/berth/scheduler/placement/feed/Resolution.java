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
 * Resolves the trees that one response refers to, from the table or from a second query for those that the table
 * lacks. Used once; not thread-safe.
 */
final class Resolution {
    private final References answer;
    private final TreeTable table;
    /** By position; null if the tree is missing. */
    private final ReceivedTree[] trees;
    /** True if every tree is in the state that the response refers to. */
    private boolean isExact = true;
    /** The uuids of all trees' providers by id; created when a request takes from several trees. */
    private volatile @Nullable Map<Long, String> uuids;

    private Resolution(References answer, TreeTable table) {
        this.answer = answer;
        this.table = table;
        this.trees = new ReceivedTree[answer.count()];
    }

    /**
     * Resolves a response on a scenario: trees must be in exactly the state that the response refers to, and nothing
     * is stored in the table.
     */
    static Resolution ofSupposed(References answer, TreeTable table) {
        var resolution = new Resolution(answer, table);
        Map<Long, ReceivedTree> supposed = HashMap.newHashMap(answer.changed().size());
        answer.changed().forEach(tree -> supposed.put(tree.id(), tree));
        for (int i = 0; i < resolution.trees.length; i++) {
            ReceivedTree received = supposed.get(answer.id(i));
            resolution.set(i, received != null && received.version() == answer.version(i)
                    ? received
                    : table.findExactly(answer.id(i), answer.version(i)));
        }
        return resolution;
    }

    /**
     * Resolves a response on the present fleet: its changed trees are stored in the table, and trees may be in a
     * later state.
     */
    static Resolution of(References answer, TreeTable table) {
        var resolution = new Resolution(answer, table);
        table.answer();
        answer.changed().forEach(tree -> table.learn(tree, answer.moment()));
        table.seen(answer.moment());
        for (int i = 0; i < resolution.trees.length; i++) {
            resolution.set(i, table.find(answer.id(i), answer.version(i), answer.moment()));
        }
        return resolution;
    }

    private void set(int position, @Nullable ReceivedTree tree) {
        trees[position] = tree;
        isExact &= tree == null || tree.version() == answer.version(position);
    }

    /** Returns the ids of the roots whose trees must be queried. */
    long[] lacking() {
        return IntStream.range(0, trees.length).filter(i -> trees[i] == null).mapToLong(answer::id).toArray();
    }

    /** Stores queried trees in whatever state they are, because they were read after the response. */
    void learn(ReferencesParser.Trees received) {
        Map<Long, ReceivedTree> byId = HashMap.newHashMap(received.trees().size());
        received.trees().forEach(tree -> byId.put(tree.id(), table.learn(tree, received.moment())));
        for (int i = 0; i < trees.length; i++) {
            ReceivedTree tree = trees[i] == null ? byId.get(answer.id(i)) : null;
            if (tree != null) {
                set(i, tree);
            }
        }
    }

    /**
     * Makes the candidates. A tree that is still missing was deleted, so all requests that take from it are left out.
     */
    AllocationCandidates candidates() {
        ProviderTree[] found = new ProviderTree[trees.length];
        TreeRequests[] requests = answer.requests().isEmpty() ? null : new TreeRequests[trees.length];
        boolean mayLack = !isExact || Arrays.asList(trees).contains(null);
        int count = 0;
        for (int i = 0; i < trees.length; i++) {
            long[][] received = answer.requests().get(i);
            long[][] possible = received == null || !mayLack || trees[i] == null ? received : possible(received, trees[i]);
            // A tree without requests is in the response only for the uuids of its providers.
            if (trees[i] != null && (possible == null || possible.length > 0)) {
                found[count] = trees[i].tree();
                if (requests != null) {
                    requests[count] = possible == null ? null : new Requests(trees[i], possible);
                }
                count++;
            }
        }
        return count == found.length
                ? new AllocationCandidates(found, requests, answer.parts(), answer.moment())
                : new AllocationCandidates(
                        Arrays.copyOf(found, count),
                        requests == null ? null : Arrays.copyOf(requests, count),
                        answer.parts(),
                        answer.moment());
    }

    private long[][] possible(long[][] requests, ReceivedTree tree) {
        return Arrays.stream(requests)
                .filter(ids -> Arrays.stream(ids).allMatch(id -> uuidOf(id, tree) != null))
                .toArray(long[][]::new);
    }

    private @Nullable String uuidOf(long providerId, ReceivedTree likely) {
        String uuid = likely.uuidOf(providerId);
        if (uuid != null) {
            return uuid;
        }
        Map<Long, String> known = uuids;
        if (known == null) {
            known = new HashMap<>();
            for (ReceivedTree tree : trees) {
                for (int i = 0; tree != null && i < tree.providerIds().length; i++) {
                    known.put(tree.providerIds()[i], tree.tree().summaries().get(i).uuid());
                }
            }
            uuids = known;
        }
        return known.get(providerId);
    }

    /** Creates the allocation requests of one tree lazily. */
    private final class Requests implements TreeRequests {
        private final ReceivedTree tree;
        private final long[][] ids;
        private volatile @Nullable List<AllocationRequest> made;

        Requests(ReceivedTree tree, long[][] ids) {
            this.tree = tree;
            this.ids = ids;
        }

        @Override
        public synchronized List<AllocationRequest> list() {
            if (made == null) {
                made = Arrays.stream(ids).map(this::request).toList();
            }
            return made;
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
                    if (request[part] == providerId && parts.takes(part)) {
                        return true;
                    }
                }
            }
            return false;
        }

        @Override
        public boolean isEmpty() {
            return false;
        }
    }
}
