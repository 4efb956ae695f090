package io.berth.scheduler.decision;

import io.berth.scheduler.filter.HostFilter;
import io.berth.scheduler.host.HostState;
import io.berth.scheduler.request.Repeatable;
import io.berth.scheduler.request.RequestSpec;
import io.berth.scheduler.weigher.Ranking;
import jakarta.annotation.Nullable;
import java.util.List;

/**
 * Filters and weighers of one round. What is remembered of requests of the same shape makes it cheaper and changes
 * nothing of it.
 *
 * @param ranking null where a filter could not evaluate the request
 */
record Evaluation(FilterChain chain, @Nullable Ranking ranking) {

    static Evaluation of(List<HostState> hosts, RequestSpec spec, int round, SchedulingInputs inputs) {
        List<HostFilter> filters = FilterChain.takingPart(inputs.filters(), spec, round);
        DecisionMemory.Key key = DecisionMemory.keyOf(spec, round, inputs);
        Evaluation remembering = key == null ? null : remembering(hosts, filters, spec, inputs, key);
        return remembering == null ? anew(hosts, filters, spec, inputs) : remembering;
    }

    static Evaluation anew(
            List<HostState> hosts, List<HostFilter> filters, RequestSpec spec, SchedulingInputs inputs) {
        long started = System.nanoTime();
        FilterChain chain = FilterChain.run(hosts, filters, spec, inputs);
        long filtered = System.nanoTime();
        inputs.times().filtered(filtered - started);
        if (chain.error() != null) {
            return new Evaluation(chain, null);
        }
        Ranking ranking = Ranking.of(chain.survivors(), inputs.weighers(), spec, inputs.options());
        inputs.times().weighed(System.nanoTime() - filtered);
        return new Evaluation(chain, ranking);
    }

    /** Null if a filter cannot evaluate the request: the plain way says which, and on which host. */
    private static @Nullable Evaluation remembering(
            List<HostState> hosts,
            List<HostFilter> filters,
            RequestSpec spec,
            SchedulingInputs inputs,
            DecisionMemory.Key key) {
        long started = System.nanoTime();
        DecisionMemory.Kept kept = inputs.memory().find(key);
        int leading = 0;
        while (leading < filters.size() && filters.get(leading) instanceof Repeatable) {
            leading++;
        }
        FilteredHosts filtered = FilteredHosts.of(
                hosts,
                filters.subList(0, leading),
                key.shape(),
                inputs.options(),
                kept == null ? null : kept.filtered());
        if (filtered == null) {
            return null;
        }
        FilterChain chain = FilterChain.joined(
                filtered.steps(),
                FilterChain.run(filtered.survivors(), filters.subList(leading, filters.size()), spec, inputs));
        long filteredNanos = System.nanoTime();
        inputs.times().filtered(filteredNanos - started);
        if (chain.error() != null) {
            return new Evaluation(chain, null);
        }
        Ranking ranking = Ranking.following(
                kept == null ? null : kept.ranked(),
                chain.survivors(),
                inputs.weighers(),
                spec,
                key.shape(),
                inputs.options());
        inputs.times().weighed(System.nanoTime() - filteredNanos);
        if (ranking instanceof Ranking.Ranked ranked) {
            inputs.memory().keep(key, new DecisionMemory.Kept(filtered, ranked));
        }
        return new Evaluation(chain, ranking);
    }
}
