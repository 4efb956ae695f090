package io.berth.scheduler.decision;

import io.berth.scheduler.config.Options;
import io.berth.scheduler.filter.EnabledFilters;
import io.berth.scheduler.request.RequestSpec;
import io.berth.scheduler.weigher.EnabledWeighers;
import java.util.List;
import java.util.random.RandomGenerator;

/**
 * The inputs that are the same in all rounds of a request.
 *
 * @param random source of randomness for the choice among the best hosts; only used if an option requests it
 * @param detail level of detail of the decision
 * @param times receives the durations of filters and weighers
 * @param forcedHostFilters filters for hosts that the request forces; empty if a claim follows, because the claim
 *         itself enforces the rules of these filters
 */
public record SchedulingInputs(
        Options options,
        EnabledFilters filters,
        EnabledWeighers weighers,
        RandomGenerator random,
        Detail detail,
        StageTimes times,
        EnabledFilters forcedHostFilters) {

    /** Creates inputs for a decision whose hosts are then claimed. */
    public SchedulingInputs(
            Options options,
            EnabledFilters filters,
            EnabledWeighers weighers,
            RandomGenerator random,
            Detail detail,
            StageTimes times) {
        this(options, filters, weighers, random, detail, times, new EnabledFilters(List.of()));
    }

    /** Creates inputs whose durations are discarded. */
    public SchedulingInputs(
            Options options,
            EnabledFilters filters,
            EnabledWeighers weighers,
            RandomGenerator random,
            Detail detail) {
        this(options, filters, weighers, random, detail, StageTimes.NONE);
    }

    /**
     * Returns these inputs for an analysis. No claim follows, so forced hosts must pass the filters whose rules a claim
     * would enforce.
     */
    public SchedulingInputs forAnalysis() {
        return new SchedulingInputs(options, filters, weighers, random, detail, times, filters.atClaim());
    }

    /** Returns these inputs with other weighers, and with other filters for hosts that are not forced. */
    public SchedulingInputs with(EnabledFilters otherFilters, EnabledWeighers otherWeighers) {
        return new SchedulingInputs(options, otherFilters, otherWeighers, random, detail, times, forcedHostFilters);
    }

    /**
     * Returns the filters for the hosts of a request: {@code forcedHostFilters} if its hosts are forced
     * ({@link Preselection#isForced}), otherwise {@code filters}.
     */
    public EnabledFilters filtersOf(RequestSpec spec) {
        return Preselection.isForced(spec) ? forcedHostFilters : filters;
    }

    /** The level of detail that a decision keeps. */
    public enum Detail {
        /** Keeps the number of hosts of each stage and the first rejections of each filter. */
        COUNTS,
        /** Keeps all hosts of each stage and all rejections. */
        HOSTS
    }
}
