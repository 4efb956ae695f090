package io.berth.placement.candidate.search;

import io.berth.placement.fleet.FleetView;
import io.berth.placement.fleet.ProviderTree;
import jakarta.annotation.Nullable;
import java.util.function.BooleanSupplier;

/** Decides whether a tree can serve a query, by searching the tree for its first candidate. Not thread-safe. */
public final class TreeProbe {
    /** The steps that all searches of one {@link LimitedSearch} together may take: about a tenth of a second. */
    private static final long STEPS_MAX = 2_000_000;
    /** The steps between two checks of the limits of steps and time. */
    private static final long SLICE_STEPS = 100_000;

    public enum Outcome {
        /** The tree has a candidate. */
        HAS_CANDIDATE,
        /** The tree has no candidate. */
        HAS_NONE,
        /** A limit of steps, time or memory ended the search. */
        UNKNOWN
    }

    private final SearchMemory memory;
    private final @Nullable TreeSearch search;

    /** @param query the query; null if no tree can serve it */
    public TreeProbe(FleetView view, @Nullable ResolvedQuery query, SearchMemory memory) {
        this.memory = memory;
        this.search = query == null
                ? null : new TreeSearch(view, query, SharingProviders.of(view, query, memory), null, memory);
    }

    /**
     * Searches the tree for its first candidate.
     *
     * @param timeIsUp returns true when the search must end; polled every {@value #SLICE_STEPS} steps
     */
    public Outcome findOutcome(ProviderTree tree, BooleanSupplier timeIsUp) {
        return search == null ? Outcome.HAS_NONE : new LimitedSearch(timeIsUp, memory).findFirst(search, tree);
    }

    /**
     * Searches one tree for its first candidate, once or several times. All searches with one instance of this class
     * together may take {@value #STEPS_MAX} steps.
     */
    static final class LimitedSearch {
        private final BooleanSupplier timeIsUp;
        private final SearchMemory memory;
        private StepBudget budget = new StepBudget(SLICE_STEPS);
        private long stepsDone;

        LimitedSearch(BooleanSupplier timeIsUp, SearchMemory memory) {
            this.timeIsUp = timeIsUp;
            this.memory = memory;
        }

        /**
         * Searches the tree for its first candidate. After {@link Outcome#HAS_CANDIDATE}, {@code search} is positioned
         * at this candidate.
         */
        Outcome findFirst(TreeSearch search, ProviderTree tree) {
            if (!search.begin(tree, budget)) {
                return memory.isSpent() ? Outcome.UNKNOWN : Outcome.HAS_NONE;
            }
            while (true) {
                switch (search.next(budget)) {
                    case FOUND -> {
                        return Outcome.HAS_CANDIDATE;
                    }
                    case EXHAUSTED -> {
                        return memory.isSpent() ? Outcome.UNKNOWN : Outcome.HAS_NONE;
                    }
                    case PAUSED -> {
                        stepsDone += SLICE_STEPS;
                        if (stepsDone >= STEPS_MAX || timeIsUp.getAsBoolean()) {
                            return Outcome.UNKNOWN;
                        }
                        budget = new StepBudget(SLICE_STEPS);
                    }
                }
            }
        }
    }
}
