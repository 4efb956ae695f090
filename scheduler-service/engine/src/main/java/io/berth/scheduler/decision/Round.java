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
 * The evaluation of all hosts for one instance: preselection, filters, weighers, and order of claims.
 *
 * @param index index of the instance in the request, from 0
 * @param spec the request for this round, with the uuid of the instance and the consumption of earlier rounds
 * @param filters one step for each filter that ran, and a further step if some hosts have no allocation candidates
 * @param passed the number of hosts that passed all steps of {@code filters}
 * @param weighed the hosts that passed the filters, in the order of the arrays in {@code weighers}
 * @param weighers one step for each weigher; empty if fewer than two hosts passed the filters
 * @param ranked the hosts that passed all steps, the highest weight first; sorted lazily, as far as the list is read
 * @param order the hosts of {@code ranked} in the order of claims; sorted lazily
 * @param error null unless a filter or weigher could not evaluate the request; then {@code ranked} is empty
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
    /**
     * Maximum number of ranked hosts in a round {@linkplain #inBrief in brief}, which is the number that brief
     * explanations and decision records contain.
     */
    public static final int BEST_MAX = 20;

    static Round run(int index, List<HostState> hosts, RequestSpec spec, SchedulingInputs inputs) {
        // The list may be a view that sorts lazily. The copy reads the view once; the filters would read it many times.
        Preselection preselection = Preselection.of(List.copyOf(hosts), spec);
        List<HostFilter> filters = FilterChain.filtersInRound(inputs.filtersOf(spec), spec, index);
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
            case Ranking.Ranked ranking -> ranked(index, spec, preselection, chain.steps(), ranking, inputs);
        };
    }

    /**
     * Returns the round after ranking. As in nova, hosts without allocation candidates are weighed with the others, and
     * so influence the normalization; then they are removed.
     */
    private static Round ranked(
            int index, RequestSpec spec, Preselection preselection, List<FilterStep> filters, Ranking.Ranked ranking,
            SchedulingInputs inputs) {
        FilterStep withoutClaim = FilterChain.rootProviderStep(ranking.weighed(), spec, inputs);
        List<FilterStep> steps = filters;
        List<RankedHost> ranked = ranking.ranked();
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
                withoutClaim == null ? ranking.weighed().size() : withoutClaim.hostCountOut(),
                ranking.weighed(),
                ranking.steps(),
                ranked,
                ClaimOrder.order(ranked, inputs.options(), inputs.random()),
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
     * Returns the round with only the data that brief explanations contain: counts, the first rejections and the best
     * of the ranking. {@link Scheduling#consume} keeps most rounds in this form once a host is claimed. Otherwise a
     * request for a thousand instances could keep a thousand complete rounds, each over a thousand hosts, which would
     * not fit into the heap.
     */
    Round inBrief() {
        List<RankedHost> best = best();
        List<RankedHost> renumbered = new ArrayList<>(best.size());
        int[] positions = new int[best.size()];
        for (int i = 0; i < positions.length; i++) {
            RankedHost host = best.get(i);
            positions[i] = host.position();
            renumbered.add(new RankedHost(host.host(), host.weight(), i));
        }
        List<RankedHost> bestOrder = order == ranked
                ? renumbered
                : order.subList(0, positions.length).stream()
                        .map(host -> best.contains(host) ? renumbered.get(best.indexOf(host)) : host)
                        .toList();
        return new Round(
                index,
                spec,
                preselection.inBrief(),
                filters,
                passed,
                renumbered.stream().map(RankedHost::host).toList(),
                weighers.stream().map(step -> step.atPositions(positions)).toList(),
                renumbered,
                bestOrder,
                error);
    }

    /** Returns the first hosts of the ranking, at most {@value #BEST_MAX}. */
    public List<RankedHost> best() {
        return ranked.subList(0, Math.min(BEST_MAX, ranked.size()));
    }

    /** Returns the hosts in the order in which to claim them, until a claim succeeds. */
    public List<RankedHost> attempts() {
        return order;
    }
}
