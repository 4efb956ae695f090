package io.berth.scheduler.decision;

import io.berth.scheduler.config.Options;
import io.berth.scheduler.filter.EnabledFilters;
import io.berth.scheduler.weigher.EnabledWeighers;
import java.util.random.RandomGenerator;

/**
 * What stays the same over the rounds of a request.
 *
 * @param random for picking among the best; not asked if nothing is random
 * @param detail how much is kept for explanations
 * @param times is told how long filters and weighers took
 */
public record SchedulingInputs(
        Options options,
        EnabledFilters filters,
        EnabledWeighers weighers,
        RandomGenerator random,
        Detail detail,
        StageTimes times) {

    /** With nobody who wants to know the times. */
    public SchedulingInputs(
            Options options,
            EnabledFilters filters,
            EnabledWeighers weighers,
            RandomGenerator random,
            Detail detail) {
        this(options, filters, weighers, random, detail, StageTimes.NOBODY);
    }

    /** How much of a decision is kept. */
    public enum Detail {
        /** Counts per stage, and the first rejections of each filter. */
        COUNTS,
        /** Every host of every stage and why it left. */
        HOSTS
    }
}
