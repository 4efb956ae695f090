package io.berth.placement.candidate.answer;

import io.berth.placement.candidate.search.ResolvedQuery;
import io.berth.placement.fleet.FleetView;
import io.berth.placement.fleet.Provider;
import io.berth.placement.fleet.ProviderTree;
import java.util.ArrayList;
import java.util.IdentityHashMap;
import java.util.List;

/**
 * Candidates sorted by the trees they take from, trees in the order in which candidates first name them. One that takes
 * from several trees (sharing providers) stands in each.
 */
final class TreeRequests {
    /** A tree and the requests that take from it, each with one provider per part. */
    record OfTree(ProviderTree tree, List<Provider[]> requests) {}

    private final FleetView view;
    private final ResolvedQuery query;
    private final IdentityHashMap<ProviderTree, OfTree> byTree = new IdentityHashMap<>();
    private final List<OfTree> inOrder = new ArrayList<>();
    private OfTree last;
    private long partCount;

    TreeRequests(FleetView view, ResolvedQuery query) {
        this.view = view;
        this.query = query;
    }

    /** @param providers kept: not to be used again */
    void add(ProviderTree anchor, Provider[] providers) {
        for (int part = 0; part < providers.length; part++) {
            if (query.isFirstTaking(part, providers)) {
                List<Provider[]> ofTree = of(anchor, providers[part]).requests();
                if (ofTree.isEmpty() || ofTree.getLast() != providers) {
                    ofTree.add(providers);
                    partCount += providers.length;
                }
            }
        }
    }

    private OfTree of(ProviderTree anchor, Provider provider) {
        ProviderTree tree = provider.rootId() == anchor.root().id() ? anchor : view.treeOf(provider);
        if (last == null || last.tree() != tree) {
            last = byTree.get(tree);
            if (last == null) {
                last = new OfTree(tree, new ArrayList<>(1));
                byTree.put(tree, last);
                inOrder.add(last);
            }
        }
        return last;
    }

    List<OfTree> list() {
        return inOrder;
    }

    /** Parts of all requests, as often as they are listed. */
    long partCount() {
        return partCount;
    }
}
