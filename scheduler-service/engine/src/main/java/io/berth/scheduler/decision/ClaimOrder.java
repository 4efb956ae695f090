package io.berth.scheduler.decision;

import io.berth.scheduler.config.Options;
import io.berth.scheduler.weigher.RankedHost;
import java.util.AbstractList;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.RandomAccess;
import java.util.random.RandomGenerator;

/**
 * Determines the order in which ranked hosts are claimed: the order of the ranking, unless options request a random
 * choice among the best hosts. {@code shuffle_best_same_weighed_hosts} shuffles the hosts with the highest weight. Then
 * {@code host_subset_size} N, if it is more than 1, moves a random one of the first N hosts to the front.
 * <br>Source: nova {@code scheduler/manager.py} (_get_sorted_hosts).
 */
final class ClaimOrder {
    private ClaimOrder() {}

    static List<RankedHost> order(List<RankedHost> ranked, Options options, RandomGenerator random) {
        if (ranked.size() < 2) {
            return ranked;
        }
        var reordered = new ArrayList<RankedHost>();
        if (options.filterScheduler().shuffleBestSameWeighedHosts()) {
            double best = ranked.getFirst().weight();
            for (int i = 0; i < ranked.size() && ranked.get(i).weight() == best; i++) {
                reordered.add(ranked.get(i));
            }
            Collections.shuffle(reordered, random);
        }
        int subset = Math.min(options.filterScheduler().hostSubsetSize(), ranked.size());
        if (subset > 1) {
            int picked = random.nextInt(subset);
            while (reordered.size() <= picked) {
                reordered.add(ranked.get(reordered.size()));
            }
            reordered.addFirst(reordered.remove(picked));
        }
        return reordered.isEmpty() ? ranked : new Reordered(reordered, ranked);
    }

    /**
     * A view of a ranking with its first hosts reordered. The ranking is sorted lazily, so a copy would sort all of it.
     */
    private static final class Reordered extends AbstractList<RankedHost> implements RandomAccess {
        private final List<RankedHost> reordered;
        private final List<RankedHost> ranked;

        Reordered(List<RankedHost> reordered, List<RankedHost> ranked) {
            this.reordered = reordered;
            this.ranked = ranked;
        }

        @Override
        public RankedHost get(int index) {
            return index < reordered.size() ? reordered.get(index) : ranked.get(index);
        }

        @Override
        public int size() {
            return ranked.size();
        }
    }
}
