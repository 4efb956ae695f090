package io.berth.scheduler.weigher;

import io.berth.scheduler.config.Options;
import io.berth.scheduler.host.Alignment;
import io.berth.scheduler.host.HostState;
import io.berth.scheduler.request.RequestSpec;
import jakarta.annotation.Nullable;
import java.util.List;

/**
 * The surviving hosts by weight.
 * <br>Cost: one pass per weigher; sorting only as far as the ranking is read.
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
        return hosts.size() < 2
                ? unweighed(hosts)
                : new Weighing(hosts, spec, spec, options, null, null).rank(weighers.inOrder());
    }

    /**
     * The same ranking, with less work.
     *
     * @param shape of the request, which repeatable weighers see in its place
     * @param before by the same weighers and options, for a request of this shape; null: nothing is known
     */
    static Ranking following(
            @Nullable Ranked before,
            List<HostState> hosts,
            EnabledWeighers weighers,
            RequestSpec spec,
            RequestSpec shape,
            Options options) {
        if (hosts.size() < 2) {
            return unweighed(hosts);
        }
        if (before == null || before.steps().isEmpty()) {
            return new Weighing(hosts, spec, shape, options, null, null).rank(weighers.inOrder());
        }
        Alignment alignment = Alignment.of(hosts, before.weighed());
        return new Weighing(hosts, spec, shape, options, alignment, before).rank(weighers.inOrder());
    }

    private static Ranking unweighed(List<HostState> hosts) {
        return new Ranked(hosts, List.of(), hosts.stream().map(host -> new RankedHost(host, 0)).toList());
    }
}
