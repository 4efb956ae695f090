package io.berth.scheduler.decision;

import io.berth.scheduler.filter.HostFilter;
import io.berth.scheduler.filter.Verdict;
import io.berth.scheduler.host.HostState;
import io.berth.scheduler.request.RequestSpec;
import jakarta.annotation.Nullable;
import java.util.ArrayList;
import java.util.List;

/**
 * The enabled filters one after the other, each on the survivors of the one before.
 *
 * @param error where a filter could not evaluate the request; then there are no survivors
 *     <br>Source: nova {@code filters.py}, {@code scheduler/filters/__init__.py}.
 */
record FilterChain(List<FilterStep> steps, List<HostState> survivors, @Nullable EvaluationError error) {

    static FilterChain run(List<HostState> hosts, RequestSpec spec, int round, SchedulingInputs inputs) {
        var steps = new ArrayList<FilterStep>();
        boolean rebuild = spec.schedulerHints().asksForRebuildCheck();
        List<HostState> left = hosts;
        for (HostFilter filter : inputs.filters().inOrder()) {
            if (left.isEmpty()) {
                break;
            }
            if (round > 0 && filter.runsOncePerRequest()) {
                continue;
            }
            var run = new FilterRun(filter.name(), inputs.detail());
            if (rebuild && !filter.runsOnRebuild()) {
                left.forEach(run::passed);
            } else {
                for (HostState host : left) {
                    Verdict verdict = filter.check(host, spec, inputs.options());
                    if (verdict instanceof Verdict.Failed(String detail)) {
                        var error = new EvaluationError(
                                EvaluationError.Stage.FILTER, filter.name(), HostName.of(host), detail);
                        return new FilterChain(steps, List.of(), error);
                    }
                    run.note(host, verdict);
                }
            }
            steps.add(run.step());
            left = run.survivors();
        }
        return new FilterChain(steps, left, null);
    }

    /** One filter over the hosts of a round. Mutable, local to {@link #run}. */
    private static final class FilterRun {
        private final String name;
        private final boolean keepsHosts;
        private final List<HostState> survivors = new ArrayList<>();
        private final List<HostName> hostsIn = new ArrayList<>();
        private final List<HostName> hostsOut = new ArrayList<>();
        private final List<Rejection> rejections = new ArrayList<>();
        private @Nullable Rejection nearest;
        private int rejectedCount;

        FilterRun(String name, SchedulingInputs.Detail detail) {
            this.name = name;
            this.keepsHosts = detail == SchedulingInputs.Detail.HOSTS;
        }

        void note(HostState host, Verdict verdict) {
            switch (verdict) {
                case Verdict.Pass _ -> passed(host);
                case Verdict.Limited(var limits) -> passed(host.withLimits(limits));
                case Verdict.Narrow narrow -> passed(host.toBuilder()
                        .allocationCandidates(narrow.candidates())
                        .limits(narrow.limits())
                        .build());
                case Verdict.Reject(var reason) -> {
                    rejectedCount++;
                    if (nearest == null || reason.isNearerThan(nearest.reason())) {
                        nearest = new Rejection(HostName.of(host), reason);
                    }
                    if (keepsHosts) {
                        hostsIn.add(HostName.of(host));
                    }
                    if (keepsHosts || rejections.size() < FilterStep.SAMPLE_MAX) {
                        rejections.add(new Rejection(HostName.of(host), reason));
                    }
                }
                case Verdict.Failed failed -> throw new IllegalStateException(failed.detail());
            }
        }

        void passed(HostState host) {
            survivors.add(host);
            if (keepsHosts) {
                HostName hostName = HostName.of(host);
                hostsIn.add(hostName);
                hostsOut.add(hostName);
            }
        }

        List<HostState> survivors() {
            return survivors;
        }

        FilterStep step() {
            return new FilterStep(
                    name, survivors.size() + rejectedCount, survivors.size(), hostsIn, hostsOut, rejections, nearest);
        }
    }
}
