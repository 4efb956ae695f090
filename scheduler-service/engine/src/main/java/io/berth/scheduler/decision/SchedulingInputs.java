package io.berth.scheduler.decision;

import io.berth.scheduler.config.Options;
import io.berth.scheduler.filter.EnabledFilters;
import io.berth.scheduler.request.RequestSpec;
import io.berth.scheduler.weigher.EnabledWeighers;
import java.util.List;
import java.util.random.RandomGenerator;

/**
 * What stays the same over the rounds of a request.
 *
 * @param random for picking among the best; not asked if nothing is random
 * @param detail how much is kept for explanations
 * @param times is told how long filters and weighers took
 * @param ofForced filters of hosts that the request forces: none where a claim follows, which sees to its rules itself
 */
public record SchedulingInputs(
        Options options,
        EnabledFilters filters,
        EnabledWeighers weighers,
        RandomGenerator random,
        Detail detail,
        StageTimes times,
        EnabledFilters ofForced) {

    /** For decisions that are claimed. */
    public SchedulingInputs(
            Options options,
            EnabledFilters filters,
            EnabledWeighers weighers,
            RandomGenerator random,
            Detail detail,
            StageTimes times) {
        this(options, filters, weighers, random, detail, times, new EnabledFilters(List.of()));
    }

    /** With nobody who wants to know the times. */
    public SchedulingInputs(
            Options options,
            EnabledFilters filters,
            EnabledWeighers weighers,
            RandomGenerator random,
            Detail detail) {
        this(options, filters, weighers, random, detail, StageTimes.NOBODY);
    }

    /** The same for a question: no claim follows. */
    public SchedulingInputs ofQuestion() {
        return new SchedulingInputs(options, filters, weighers, random, detail, times, filters.atClaim());
    }

    /** The same with others that filter and weigh the hosts that are not forced. */
    public SchedulingInputs with(EnabledFilters otherFilters, EnabledWeighers otherWeighers) {
        return new SchedulingInputs(options, otherFilters, otherWeighers, random, detail, times, ofForced);
    }

    /** Those that the request's hosts pass. */
    public EnabledFilters filtersOf(RequestSpec spec) {
        return Preselection.isForced(spec) ? ofForced : filters;
    }

    /** How much of a decision is kept. */
    public enum Detail {
        /** Counts per stage, and the first rejections of each filter. */
        COUNTS,
        /** Every host of every stage and why it left. */
        HOSTS
    }
}
