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

/** Determines whether a tree has a candidate of the query if some demands are dropped. Not thread-safe. */
final class Probes {
    /**
     * The maximum number of cached searches; beyond it, the least recently used one is dropped. A cache is useful
     * because successive trees are often searched with the same demands dropped. All cached searches are dropped when
     * together they have used up the memory limit of one search ({@link SearchMemory}).
     */
    private static final int CACHED_MAX = 64;

    private final FleetView view;
    private final Demands demands;
    private final BooleanSupplier timeIsUp;
    private SearchMemory memory = SearchMemory.ofOneSearch();
    /** The searches, by the indexes of the dropped demands. */
    private final Map<BitSet, TreeProbe> cache = new LinkedHashMap<>(CACHED_MAX * 2, 0.75f, true) {
        @Override
        protected boolean removeEldestEntry(Map.Entry<BitSet, TreeProbe> eldest) {
            return size() > CACHED_MAX;
        }
    };

    Probes(FleetView view, Demands demands, BooleanSupplier timeIsUp) {
        this.view = view;
        this.demands = demands;
        this.timeIsUp = timeIsUp;
    }

    /**
     * Searches the tree with the query that remains without these demands and those that must be dropped with them
     * ({@link Demands#closure}). Returns {@link Outcome#HAS_CANDIDATE} if no group with resources remains.
     *
     * @param dropped indexes in {@link Demands}
     */
    Outcome searchWithout(ProviderTree tree, BitSet dropped) {
        BitSet allDropped = demands.closure(dropped);
        if (memory.isSpent()) {
            cache.clear();
            memory = SearchMemory.ofOneSearch();
        }
        TreeProbe probe = cache.get(allDropped);
        if (probe == null) {
            CandidateQuery remaining = demands.without(allDropped);
            if (remaining == null) {
                return Outcome.HAS_CANDIDATE;
            }
            probe = new TreeProbe(view, ResolvedQuery.of(view, remaining), memory);
            cache.put(allDropped, probe);
        }
        return probe.findOutcome(tree, timeIsUp);
    }
}
