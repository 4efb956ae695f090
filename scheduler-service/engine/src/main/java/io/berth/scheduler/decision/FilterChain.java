package io.berth.scheduler.decision;

import io.berth.scheduler.config.Options;
import io.berth.scheduler.filter.EnabledFilters;
import io.berth.scheduler.host.HostState;
import io.berth.scheduler.request.RequestSpec;
import io.berth.scheduler.spi.HostCheck;
import io.berth.scheduler.spi.HostFilter;
import io.berth.scheduler.spi.PreparedFilter;
import io.berth.scheduler.spi.Reason;
import io.berth.scheduler.spi.Verdict;
import jakarta.annotation.Nullable;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * The result of running the enabled filters in order, each on the hosts that passed the previous filter. The run ends
 * when no host is left.
 * <br>Source: nova {@code filters.py}, {@code scheduler/filters/__init__.py}.
 *
 * @param steps one step for each filter that ran, without a filter that could not evaluate the request
 * @param error null unless a filter could not evaluate the request; then {@code survivors} is empty
 */
record FilterChain(List<FilterStep> steps, List<HostState> survivors, @Nullable EvaluationError error) {
    /** The name of the step of {@link #rootProviderStep}. Other steps have the name of a filter. */
    static final String ROOT_PROVIDER_STEP = "root_provider";

    /**
     * Returns the filters that run in the round with this index. A filter that runs once per request only runs in the
     * first round, which has index 0. In a rebuild check, filters that do not run on a rebuild are replaced by filters
     * that every host passes.
     */
    static List<HostFilter> filtersInRound(EnabledFilters enabled, RequestSpec spec, int round) {
        boolean rebuild = spec.schedulerHints().asksForRebuildCheck();
        if (round == 0 && !rebuild) {
            return enabled.inOrder();
        }
        return enabled.inOrder().stream()
                .filter(filter -> round == 0 || !filter.runsOncePerRequest())
                .map(filter -> rebuild && !filter.runsOnRebuild() ? new PassFilter(filter.name()) : filter)
                .toList();
    }

    static FilterChain run(
            List<HostState> hosts, List<HostFilter> filters, RequestSpec spec, SchedulingInputs inputs) {
        var steps = new ArrayList<FilterStep>(filters.size());
        List<HostState> remaining = hosts;
        long stepStart = System.nanoTime();
        for (HostFilter filter : filters) {
            if (remaining.isEmpty()) {
                break;
            }
            HostCheck check = filter.prepare(spec, inputs.options());
            int countIn = remaining.size();
            if (check == HostCheck.PASS && inputs.detail() == SchedulingInputs.Detail.COUNTS) {
                steps.add(FilterStep.passedBy(filter.name(), countIn));
            } else {
                var run = new FilterRun(filter.name(), inputs.detail(), countIn);
                for (HostState host : remaining) {
                    Verdict verdict = check.check(host);
                    if (verdict instanceof Verdict.Failed(String detail)) {
                        var error = new EvaluationError(
                                EvaluationError.Stage.FILTER, filter.name(), HostName.of(host), detail);
                        return new FilterChain(steps, List.of(), error);
                    }
                    run.addVerdict(host, verdict);
                }
                steps.add(run.step());
                remaining = run.survivors();
            }
            long stepEnd = System.nanoTime();
            inputs.times().filtered(filter.name(), countIn, stepEnd - stepStart);
            stepStart = stepEnd;
        }
        return new FilterChain(steps, remaining, null);
    }

    /**
     * Returns the step {@value #ROOT_PROVIDER_STEP}, which removes hosts without allocation candidates. On such a host,
     * child providers would supply all requested resources and the root provider none; nova never claims on such a
     * host. Returns null if all hosts have candidates, and for a rebuild check, which claims nothing.
     */
    static @Nullable FilterStep rootProviderStep(List<HostState> hosts, RequestSpec spec, SchedulingInputs inputs) {
        if (spec.schedulerHints().asksForRebuildCheck() || haveAllCandidates(hosts)) {
            return null;
        }
        var run = new FilterRun(ROOT_PROVIDER_STEP, inputs.detail(), hosts.size());
        hosts.forEach(host -> run.addVerdict(host, host.allocationCandidates().isEmpty()
                ? new Verdict.Reject(rootProviderReason(host))
                : Verdict.PASS));
        return run.step();
    }

    private static boolean haveAllCandidates(List<HostState> hosts) {
        for (HostState host : hosts) {
            if (host.allocationCandidates().isEmpty()) {
                return false;
            }
        }
        return true;
    }

    static Reason rootProviderReason(HostState host) {
        return Reason.of(
                "root_gives_nothing",
                "the provider of the compute node itself, %s, would give none of the requested resources",
                String.valueOf(host.uuid()), List.of());
    }

    /** Replaces a filter that does not run in a rebuild check. Every host passes. */
    private record PassFilter(String name) implements PreparedFilter {
        @Override
        public HostCheck prepare(RequestSpec spec, Options options) {
            return HostCheck.PASS;
        }
    }

    /**
     * Collects the verdicts of one filter on the hosts of a round. Mutable; used within one call of {@link #run} or
     * {@link #rootProviderStep}.
     */
    private static final class FilterRun {
        private final String name;
        private final boolean keepsHosts;
        private final List<HostState> survivors;
        private final List<HostName> hostsIn = new ArrayList<>();
        private final List<HostName> hostsOut = new ArrayList<>();
        private final List<Rejection> rejections = new ArrayList<>();
        private final Map<String, Integer> moreByCode = new HashMap<>();
        private @Nullable Rejection nearest;
        private int rejectedCount;

        FilterRun(String name, SchedulingInputs.Detail detail, int hostCountIn) {
            this.name = name;
            this.survivors = new ArrayList<>(hostCountIn);
            this.keepsHosts = detail == SchedulingInputs.Detail.HOSTS;
        }

        void addVerdict(HostState host, Verdict verdict) {
            switch (verdict) {
                case Verdict.Remaining remaining -> addSurvivor(remaining.applyTo(host));
                case Verdict.Reject(var reason) -> {
                    rejectedCount++;
                    if (nearest == null || reason.isNearerThan(nearest.reason())) {
                        nearest = new Rejection(HostName.of(host), reason);
                    }
                    if (keepsHosts) {
                        hostsIn.add(HostName.of(host));
                    }
                    if (keepsHosts || rejections.size() < FilterStep.REJECTIONS_MAX) {
                        rejections.add(new Rejection(HostName.of(host), reason));
                    } else {
                        moreByCode.merge(reason.code(), 1, Integer::sum);
                    }
                }
                case Verdict.Failed failed -> throw new IllegalStateException(failed.detail());
            }
        }

        private void addSurvivor(HostState host) {
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
                    name,
                    survivors.size() + rejectedCount,
                    survivors.size(),
                    hostsIn,
                    hostsOut,
                    rejections,
                    moreByCode,
                    survivors.isEmpty() ? nearest : null);
        }
    }
}
