package io.berth.placement.candidate.search;

import io.berth.placement.fleet.FleetView;
import io.berth.placement.fleet.ProviderTree;
import jakarta.annotation.Nullable;
import java.util.function.BooleanSupplier;

/** Whether single trees can serve a query: the walk of the search, ended at the first candidate. For one thread. */
public final class TreeProbe {
    /** Work for one tree after which it is given up: a tenth of a second or so. */
    private static final long STEPS_MAX = 2_000_000;
    private static final long SLICE_STEPS = 100_000;

    public enum Outcome {
        SERVES,
        DOES_NOT,
        /** Too many combinations, or no time left. */
        UNKNOWN
    }

    private final @Nullable TreeSearch search;

    /** @param query null for one that no tree can serve */
    public TreeProbe(FleetView view, @Nullable ResolvedQuery query) {
        this.search = query == null ? null : new TreeSearch(view, query, SharingProviders.of(view, query), null);
    }

    public Outcome ask(ProviderTree tree, BooleanSupplier timeIsUp) {
        if (search == null || !search.begin(tree, new StepBudget(SLICE_STEPS))) {
            return Outcome.DOES_NOT;
        }
        for (long steps = 0; steps < STEPS_MAX; steps += SLICE_STEPS) {
            switch (search.next(new StepBudget(SLICE_STEPS))) {
                case FOUND -> {
                    return Outcome.SERVES;
                }
                case EXHAUSTED -> {
                    return Outcome.DOES_NOT;
                }
                case PAUSED -> {
                    if (timeIsUp.getAsBoolean()) {
                        return Outcome.UNKNOWN;
                    }
                }
            }
        }
        return Outcome.UNKNOWN;
    }
}
