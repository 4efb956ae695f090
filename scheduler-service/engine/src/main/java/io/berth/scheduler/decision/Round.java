package io.berth.scheduler.decision;

import io.berth.scheduler.host.HostState;
import io.berth.scheduler.request.RequestSpec;
import io.berth.scheduler.spi.HostFilter;
import io.berth.scheduler.weigher.RankedHost;
import io.berth.scheduler.weigher.Ranking;
import io.berth.scheduler.weigher.WeigherStep;
import jakarta.annotation.Nullable;
import java.util.ArrayList;
import java.util.List;

/**
 * One instance's preselection, filters, weighers and pick.
 *
 * @param index of the instance, from 0
 * @param spec the request as this round saw it
 * @param filters one step per filter; if nothing can be claimed on some hosts that passed, a further step removes those
 * @param passed the number of hosts that can be claimed
 * @param weighed survivors of the filters; the arrays in {@code weighers} have the same order
 * @param ranked the hosts that can be claimed, highest weight first; this list and {@code order} are sorted lazily, as
 * far as they are read
 * @param order the same hosts in the order they are to be tried
 * @param error null unless a filter or weigher could not evaluate the request; then nothing is ranked
 */
public record Round(
        int index,
        RequestSpec spec,
        Preselection preselection,
        List<FilterStep> filters,
        int passed,
        List<HostState> weighed,
        List<WeigherStep> weighers,
        List<RankedHost> ranked,
        List<RankedHost> order,
        @Nullable EvaluationError error) {
    /** The number of ranked hosts that a round in brief keeps: as many as responses and records show. */
    public static final int BEST_MAX = 20;

    static Round run(int index, List<HostState> hosts, RequestSpec spec, SchedulingInputs inputs) {
        // The list may be a view of a ranking that sorts as it is read; the copy reads it once instead of a dozen
        // times.
        Preselection preselection = Preselection.of(List.copyOf(hosts), spec);
        List<HostFilter> filters = FilterChain.takingPart(inputs.filtersOf(spec), spec, index);
        FilterChain chain = FilterChain.run(preselection.hostsOut(), filters, spec, inputs);
        if (chain.error() != null) {
            return failed(index, spec, preselection, chain.steps(), List.of(), List.of(), chain.error());
        }
        return switch (Ranking.of(chain.survivors(), inputs.weighers(), spec, inputs.options(), inputs.times())) {
            case Ranking.Failed failed -> failed(
                    index,
                    spec,
                    preselection,
                    chain.steps(),
                    failed.weighed(),
                    failed.steps(),
                    new EvaluationError(
                            EvaluationError.Stage.WEIGHER,
                            failed.weigher(),
                            HostName.of(failed.host()),
                            failed.detail()));
            case Ranking.Ranked done -> ranked(index, spec, preselection, chain.steps(), done, inputs);
        };
    }

    /**
     * Ranks the hosts. Hosts on which nothing can be claimed are weighed with the others, as in nova, but do not appear
     * in the ranking.
     */
    private static Round ranked(
            int index, RequestSpec spec, Preselection preselection, List<FilterStep> filters, Ranking.Ranked done,
            SchedulingInputs inputs) {
        FilterStep withoutClaim = FilterChain.withoutClaim(done.weighed(), spec, inputs);
        List<FilterStep> steps = filters;
        List<RankedHost> ranked = done.ranked();
        if (withoutClaim != null) {
            steps = new ArrayList<>(filters);
            steps.add(withoutClaim);
            ranked = ranked.stream().filter(host -> !host.host().allocationCandidates().isEmpty()).toList();
        }
        return new Round(
                index,
                spec,
                preselection,
                List.copyOf(steps),
                withoutClaim == null ? done.weighed().size() : withoutClaim.hostCountOut(),
                done.weighed(),
                done.steps(),
                ranked,
                Pick.order(ranked, inputs.options(), inputs.random()),
                null);
    }

    private static Round failed(
            int index,
            RequestSpec spec,
            Preselection preselection,
            List<FilterStep> filters,
            List<HostState> weighed,
            List<WeigherStep> weighers,
            EvaluationError error) {
        return new Round(
                index, spec, preselection, filters, weighed.size(), weighed, weighers, List.of(), List.of(), error);
    }

    /**
     * Reduces the round, once its host is claimed, to what responses show: counts, the first rejections and the best of
     * the ranking. A thousand complete rounds over a thousand hosts would not fit in the heap.
     */
    Round inBrief() {
        List<RankedHost> best = best();
        List<RankedHost> kept = new ArrayList<>(best.size());
        int[] positions = new int[best.size()];
        for (int i = 0; i < positions.length; i++) {
            RankedHost host = best.get(i);
            positions[i] = host.position();
            kept.add(new RankedHost(host.host(), host.weight(), i));
        }
        List<RankedHost> tried = order == ranked
                ? kept
                : order.subList(0, positions.length).stream()
                        .map(host -> best.contains(host) ? kept.get(best.indexOf(host)) : host)
                        .toList();
        return new Round(
                index,
                spec,
                preselection.inBrief(),
                filters,
                passed,
                kept.stream().map(RankedHost::host).toList(),
                weighers.stream().map(step -> step.of(positions)).toList(),
                kept,
                tried,
                error);
    }

    /** The first hosts of the ranking, at most {@value #BEST_MAX}. */
    public List<RankedHost> best() {
        return ranked.subList(0, Math.min(BEST_MAX, ranked.size()));
    }

    /** The hosts to claim, in order, until a claim succeeds. */
    public List<RankedHost> attempts() {
        return order;
    }
}
