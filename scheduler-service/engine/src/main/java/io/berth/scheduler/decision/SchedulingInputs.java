package io.berth.scheduler.decision;

import io.berth.scheduler.config.Options;
import io.berth.scheduler.filter.EnabledFilters;
import io.berth.scheduler.request.RequestSpec;
import io.berth.scheduler.weigher.EnabledWeighers;
import java.util.List;
import java.util.random.RandomGenerator;

/**
 * The inputs that stay the same over all rounds of a request.
 *
 * @param random for picking among the best; unused if no option requests randomness
 * @param detail how much is kept for explanations
 * @param times receives the durations of filters and weighers
 * @param ofForced filters for hosts that the request forces; empty if a claim follows, which enforces its own rules
 */
public record SchedulingInputs(
        Options options,
        EnabledFilters filters,
        EnabledWeighers weighers,
        RandomGenerator random,
        Detail detail,
        StageTimes times,
        EnabledFilters ofForced) {

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
        this(options, filters, weighers, random, detail, StageTimes.NOBODY);
    }

    /**
     * Returns these inputs for an analysis. No claim follows, so forced hosts have to pass the filters that the claim
     * would enforce.
     */
    public SchedulingInputs ofQuestion() {
        return new SchedulingInputs(options, filters, weighers, random, detail, times, filters.atClaim());
    }

    /** Returns these inputs with other filters and weighers for hosts that are not forced. */
    public SchedulingInputs with(EnabledFilters otherFilters, EnabledWeighers otherWeighers) {
        return new SchedulingInputs(options, otherFilters, otherWeighers, random, detail, times, ofForced);
    }

    /** Returns the filters that apply to the hosts of the request. */
    public EnabledFilters filtersOf(RequestSpec spec) {
        return Preselection.isForced(spec) ? ofForced : filters;
    }

    /** The level of detail that a decision keeps. */
    public enum Detail {
        /** Keeps counts per stage and the first rejections of each filter. */
        COUNTS,
        /** Keeps every host of every stage and why it was removed. */
        HOSTS
    }
}
