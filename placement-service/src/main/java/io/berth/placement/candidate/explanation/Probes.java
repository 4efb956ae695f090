package io.berth.placement.candidate.explanation;

import io.berth.placement.candidate.query.CandidateQuery;
import io.berth.placement.candidate.search.ResolvedQuery;
import io.berth.placement.candidate.search.SearchMemory;
import io.berth.placement.candidate.search.TreeProbe;
import io.berth.placement.candidate.search.TreeProbe.Outcome;
import io.berth.placement.fleet.FleetView;
import io.berth.placement.fleet.ProviderTree;
import java.util.BitSet;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.BooleanSupplier;

/** Determines by the search whether a tree can serve the query without some of its demands. Not thread-safe. */
final class Probes {
    /**
     * The most prepared searches that are cached. Successive trees are often searched with the same remaining query.
     * All cached searches are dropped when they have used up the memory of one search.
     */
    private static final int KEPT_MAX = 64;

    private final FleetView view;
    private final Demands demands;
    private final BooleanSupplier timeIsUp;
    private SearchMemory memory = SearchMemory.ofOneSearch();
    private final Map<BitSet, TreeProbe> cache = new LinkedHashMap<>(KEPT_MAX * 2, 0.75f, true) {
        @Override
        protected boolean removeEldestEntry(Map.Entry<BitSet, TreeProbe> eldest) {
            return size() > KEPT_MAX;
        }
    };

    Probes(FleetView view, Demands demands, BooleanSupplier timeIsUp) {
        this.view = view;
        this.demands = demands;
        this.timeIsUp = timeIsUp;
    }

    /**
     * Searches the tree with the query that remains without these demands. Returns {@link Outcome#SERVES} if no query
     * remains.
     *
     * @param dropped indexes of demands
     */
    Outcome ask(ProviderTree tree, BitSet dropped) {
        BitSet closed = demands.closure(dropped);
        if (memory.isSpent()) {
            cache.clear();
            memory = SearchMemory.ofOneSearch();
        }
        TreeProbe probe = cache.get(closed);
        if (probe == null) {
            CandidateQuery left = demands.without(closed);
            if (left == null) {
                return Outcome.SERVES;
            }
            probe = new TreeProbe(view, ResolvedQuery.of(view, left), memory);
            cache.put(closed, probe);
        }
        return probe.ask(tree, timeIsUp);
    }
}
