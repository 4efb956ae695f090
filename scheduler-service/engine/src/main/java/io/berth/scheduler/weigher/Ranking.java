package io.berth.scheduler.weigher;

import io.berth.scheduler.config.Options;
import io.berth.scheduler.host.HostState;
import io.berth.scheduler.request.RequestSpec;
import java.util.List;

/**
 * The surviving hosts by weight.
 * <br>Cost: one pass per weigher; sorting only as far as the ranking is read.
 * <br>Source: nova {@code weights.py} (get_weighed_objects).
 */
public sealed interface Ranking {
    /**
     * @param weighed the hosts in their original order, which is the order of the arrays in {@code steps}
     * @param steps one per weigher; empty with fewer than two hosts, which are not weighed
     * @param ranked highest weight first, equal weights in their original order
     */
    record Ranked(List<HostState> weighed, List<WeigherStep> steps, List<RankedHost> ranked) implements Ranking {}

    /**
     * The request fails because a weigher could not weigh a host.
     *
     * @param steps of the earlier weighers
     */
    record Failed(List<HostState> weighed, List<WeigherStep> steps, String weigher, HostState host, String detail)
            implements Ranking {}

    static Ranking of(
            List<HostState> hosts, EnabledWeighers weighers, RequestSpec spec, Options options, WeigherTimes times) {
        return hosts.size() < 2 ? unweighed(hosts) : new Weighing(hosts, spec, options, times).rank(weighers.inOrder());
    }

    private static Ranking unweighed(List<HostState> hosts) {
        return new Ranked(hosts, List.of(), hosts.stream().map(host -> new RankedHost(host, 0, 0)).toList());
    }
}
