package io.berth.scheduler.decision;

import io.berth.scheduler.config.Options;
import io.berth.scheduler.weigher.RankedHost;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.random.RandomGenerator;

/**
 * The order in which ranked hosts are tried: the ranking, unless options ask for chance among the best.
 * <br>Source: nova {@code scheduler/manager.py} (_get_sorted_hosts).
 */
final class Pick {
    private Pick() {}

    static List<RankedHost> order(List<RankedHost> ranked, Options options, RandomGenerator random) {
        if (ranked.size() < 2) {
            return ranked;
        }
        var order = new ArrayList<>(ranked);
        if (options.filterScheduler().shuffleBestSameWeighedHosts()) {
            int best = 1;
            while (best < order.size() && order.get(best).weight() == order.getFirst().weight()) {
                best++;
            }
            Collections.shuffle(order.subList(0, best), random);
        }
        int subset = Math.min(options.filterScheduler().hostSubsetSize(), order.size());
        if (subset > 1) {
            order.addFirst(order.remove(random.nextInt(subset)));
        }
        return order;
    }
}
