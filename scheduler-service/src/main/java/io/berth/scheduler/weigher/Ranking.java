package io.berth.scheduler.weigher;

import io.berth.scheduler.config.Options;
import io.berth.scheduler.host.HostState;
import io.berth.scheduler.request.RequestSpec;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/**
 * The surviving hosts by weight.
 * <br>Cost: one pass per weigher and one stable sort.
 * <br>Source: nova {@code weights.py} (get_weighed_objects).
 */
public sealed interface Ranking {
    /**
     * @param weighed the hosts in the order they entered, which {@code steps} go by
     * @param steps one per weigher; empty with fewer than two hosts, which are not weighed
     * @param ranked highest weight first, equal weights in the order they entered
     */
    record Ranked(List<HostState> weighed, List<WeigherStep> steps, List<RankedHost> ranked) implements Ranking {}

    /**
     * A weigher could not weigh a host: the request fails.
     *
     * @param steps of the weighers before
     */
    record Failed(List<HostState> weighed, List<WeigherStep> steps, String weigher, HostState host, String detail)
            implements Ranking {}

    static Ranking of(List<HostState> hosts, EnabledWeighers weighers, RequestSpec spec, Options options) {
        if (hosts.size() < 2) {
            return new Ranked(
                    hosts, List.of(), hosts.stream().map(host -> new RankedHost(host, 0)).toList());
        }
        double[] weights = new double[hosts.size()];
        var steps = new ArrayList<WeigherStep>(weighers.inOrder().size());
        for (HostWeigher weigher : weighers.inOrder()) {
            double[] raw = new double[hosts.size()];
            double[] multiplier = new double[hosts.size()];
            for (int i = 0; i < raw.length; i++) {
                HostState host = hosts.get(i);
                String obstacle = weigher.obstacle(host, spec, options);
                if (obstacle != null) {
                    return new Failed(hosts, steps, weigher.name(), host, obstacle);
                }
                raw[i] = weigher.raw(host, spec, options);
                multiplier[i] = weigher.multiplier(host, options);
            }
            Normalization.clamp(raw, weigher.minimum());
            var step = new WeigherStep(
                    weigher.name(), raw, Normalization.normalize(raw, weigher.minimum()), multiplier);
            for (int i = 0; i < weights.length; i++) {
                weights[i] += step.score(i);
            }
            steps.add(step);
        }
        return new Ranked(hosts, steps, sorted(hosts, weights));
    }

    private static List<RankedHost> sorted(List<HostState> hosts, double[] weights) {
        var ranked = new ArrayList<RankedHost>(weights.length);
        for (int i = 0; i < weights.length; i++) {
            ranked.add(new RankedHost(hosts.get(i), weights[i]));
        }
        ranked.sort(Comparator.comparingDouble((RankedHost each) -> each.weight() == 0 ? 0 : -each.weight()));
        return ranked;
    }
}
