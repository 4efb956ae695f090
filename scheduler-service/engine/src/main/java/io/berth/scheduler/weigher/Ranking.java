package io.berth.scheduler.weigher;

import io.berth.scheduler.config.Options;
import io.berth.scheduler.host.HostState;
import io.berth.scheduler.request.RequestSpec;
import java.util.List;

/**
 * The result of weighing the hosts that passed the filters.
 * <br>Cost: one pass over the hosts for each weigher; sorting only as far as the ranking is read.
 * <br>Source: nova {@code weights.py} (get_weighed_objects).
 */
public sealed interface Ranking {
    /**
     * The hosts are ranked.
     *
     * @param weighed the hosts in their original order; the arrays of {@code steps} have the same order
     * @param steps one step for each weigher; empty for fewer than two hosts, which are not weighed
     * @param ranked the hosts with the highest weight first; hosts of equal weight are in their original order
     */
    record Ranked(List<HostState> weighed, List<WeigherStep> steps, List<RankedHost> ranked) implements Ranking {}

    /**
     * The request fails because a weigher could not weigh a host.
     *
     * @param steps the steps of the weighers before the one that failed
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
