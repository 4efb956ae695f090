package io.berth.placement.candidate.search;

import io.berth.placement.candidate.query.CandidateQuery;
import io.berth.placement.candidate.search.CandidateOptions.Strategy;
import io.berth.placement.fleet.FleetView;
import io.berth.placement.fleet.Provider;
import io.berth.placement.fleet.ProviderTree;
import jakarta.annotation.Nullable;
import java.nio.LongBuffer;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.HashSet;
import java.util.Objects;
import java.util.Set;
import java.util.UUID;
import java.util.random.RandomGenerator;

/**
 * Finds the candidates of a query in a view and passes them to a {@link Sink} one by one. A candidate assigns a
 * provider to each {@link GroupPart} of the query. The caller runs the search in slices, each of a limited number of
 * steps. The result depends only on the view, the query, the options and {@code random}. The search ends when the
 * requested number of candidates is passed on, so its memory grows with this number, not with the number of possible
 * combinations. Its time may grow with the combinations that the rules of the query exclude; {@link #STEPS_MAX} limits
 * it. Not thread-safe.
 *
 * <p>Breadth-first means one candidate of each tree before the second candidate of any tree. If neither the query nor
 * the options limit the candidates, the search is always depth-first (tree by tree), because all candidates are passed
 * on anyway.
 */
public final class CandidateSearch {
    /** The steps after which a search ends with {@link Progress#TOO_MUCH}; they take some seconds. */
    static final long STEPS_MAX = 50_000_000;
    /** The approximate bytes of an element of {@code sharedSeen}, in addition to its ids. */
    private static final long KEY_BYTES = 128;

    /** The state of the search after a slice. */
    public enum Progress {
        /** The steps of the slice are spent; call {@link #run} again. */
        PAUSED,
        /** All candidates, or as many as requested, have been passed on, or the sink ended the search. */
        DONE,
        /** The search exceeded {@link #STEPS_MAX} or its {@link SearchMemory}, and cannot be continued. */
        TOO_MUCH
    }

    /** Receives candidates, on the thread that runs the search. */
    @FunctionalInterface
    public interface Sink {
        /**
         * Receives a candidate.
         *
         * @param anchor the tree that the candidate belongs to; sharing providers of the candidate may be in other
         *         trees
         * @param providers the provider of each part of the query; the array is reused for the next candidate
         * @return false to end the search
         */
        boolean receive(ProviderTree anchor, Provider[] providers);

        /**
         * Receives a candidate in which the single provider of the tree serves all parts.
         *
         * @param anchor a tree of one provider
         * @param providers an array with one element per part, which the method may fill; it is reused for the next
         *         candidate
         * @return false to end the search
         */
        default boolean receiveAlone(ProviderTree anchor, Provider[] providers) {
            Arrays.fill(providers, anchor.root());
            return receive(anchor, providers);
        }
    }

    private final FleetView view;
    private final ResolvedQuery query;
    private final @Nullable RandomGenerator random;
    private final Sink sink;
    private final SearchMemory memory = SearchMemory.ofOneSearch();
    private final SharingProviders sharing;
    private final StartingSlots startingSlots;
    /** The order of {@link #startingSlots}; null in ascending order. */
    private final @Nullable ShuffledOrder shuffled;
    private final boolean isBreadthFirst;
    /**
     * True if a provider that can serve each single part can always serve all parts together: no two groups request the
     * same class, and the query does not isolate two groups.
     */
    private final boolean canOneServeAll;
    /** The most candidates to pass on. */
    private final long candidatesMax;
    /** The approximate cost, in steps, to pass on one candidate. */
    private final long stepsPerCandidate;
    private final Provider[] providers;
    /**
     * The searches of trees of which a candidate has been passed on and that may have more; at most {@link
     * #candidatesMax}. Used only if the search is breadth-first.
     */
    private final ArrayDeque<TreeSearch> waiting = new ArrayDeque<>();
    /**
     * The candidates with only sharing providers that have been passed on, as the ids of their providers. Each such
     * candidate can be found for several trees, and is passed on once.
     */
    private final Set<LongBuffer> sharedSeen = new HashSet<>();

    /** The search of the tree being visited, or ready for the next one; null if only waiting searches remain. */
    private @Nullable TreeSearch current;
    /** True if {@link #current} has begun with a tree and may find candidates. */
    private boolean isBegun;
    private boolean isEnded;
    /** Index of the next tree to begin with, in {@code startingSlots} or in {@code shuffled}. */
    private int nextStart;
    private long passedOnCount;
    private long stepsLeft = STEPS_MAX;

    /** @param random the random order; null unless the options require random order */
    public CandidateSearch(
            FleetView view, ResolvedQuery query, CandidateOptions options, @Nullable RandomGenerator random,
            Sink sink) {
        this.view = view;
        this.query = query;
        this.sink = sink;
        this.random = options.randomize() ? random : null;
        this.sharing = SharingProviders.of(view, query, memory);
        this.startingSlots = StartingSlots.of(view, query, sharing, memory);
        this.shuffled = this.random == null ? null : new ShuffledOrder(startingSlots.size(), this.random);
        long max = options.candidatesMax() == CandidateOptions.NO_MAXIMUM ? Long.MAX_VALUE : options.candidatesMax();
        this.candidatesMax = Math.min(max, query.limit() == CandidateQuery.NO_LIMIT ? Long.MAX_VALUE : query.limit());
        this.isBreadthFirst = options.strategy() == Strategy.BREADTH_FIRST && candidatesMax != Long.MAX_VALUE;
        int parts = query.parts().length;
        this.canOneServeAll = query.contendedClasses().length == 0
                && (!query.isolate() || query.parts().length - query.unsuffixedCount() < 2);
        this.stepsPerCandidate = 8 + parts + (long) parts * parts / 16;
        this.providers = new Provider[parts];
        this.current = newTreeSearch();
    }

    /**
     * Returns the approximate cost of the constructor, in steps. The constructor checks all sharing providers and
     * computes unions of index sets.
     */
    public static long preparationSteps(FleetView view, ResolvedQuery query) {
        long sharing = SharingProviders.treeCount(view);
        long steps = sharing * query.parts().length;
        for (GroupPart part : query.parts()) {
            ResolvedGroup group = part.group();
            for (UUID[] anyOf : group.memberOf()) {
                for (int i = 0; anyOf.length > 1 && i < anyOf.length; i++) {
                    steps += view.slotsInAggregate(anyOf[i]).size();
                }
            }
            for (int[] anyOf : group.required()) {
                for (int i = 0; anyOf.length > 1 && i < anyOf.length; i++) {
                    steps += view.slotsWithTrait(anyOf[i]).size();
                }
            }
            for (int i = 0; sharing > 0 && i < part.classIds().length; i++) {
                steps += view.slotsWithClass(part.classIds()[i]).size();
            }
        }
        return steps;
    }

    /**
     * Runs about {@code steps} further steps of the search, at most those that remain of {@link #STEPS_MAX}. A step
     * takes some tens of nanoseconds.
     */
    public Progress run(long steps) {
        var budget = new StepBudget(Math.min(steps, stepsLeft));
        boolean done = work(budget);
        if (memory.isSpent()) {
            return Progress.TOO_MUCH;
        }
        if (done) {
            return Progress.DONE;
        }
        stepsLeft -= steps;
        return stepsLeft <= 0 ? Progress.TOO_MUCH : Progress.PAUSED;
    }

    /** Searches until the search ends or the budget is spent. Returns true if the search has ended. */
    private boolean work(StepBudget budget) {
        while (passedOnCount < candidatesMax && !isEnded && !memory.isSpent()) {
            if (budget.isSpent()) {
                return false;
            }
            if (!isBegun && nextStart < startingSlots.size()) {
                isBegun = beginNext(budget);
                continue;
            }
            if (!isBegun) {
                if (waiting.isEmpty()) {
                    return true;
                }
                current = waiting.poll();
                isBegun = true;
            }
            switch (current().next(budget)) {
                case FOUND -> {
                    if (!passOn(budget)) {
                        return true;
                    }
                }
                case PAUSED -> {
                    return false;
                }
                case EXHAUSTED -> isBegun = false;
            }
        }
        return true;
    }

    /**
     * Begins with the next tree, if there is one. Returns true if {@link #current} has begun with the tree and may find
     * candidates; false if the tree needs no further search or there is no further tree.
     */
    private boolean beginNext(StepBudget budget) {
        if (shuffled == null) {
            // In ascending order, skipExcluded skips slots that cannot have a candidate. It visits a limited number of
            // slots; if the slot at which it stops cannot have a candidate either, the next call of this method
            // continues there. In random order, slots that cannot have a candidate are skipped below, one at a time.
            nextStart = startingSlots.skipExcluded(nextStart, budget);
        } else {
            budget.spend(startingSlots.slotCost());
        }
        if (nextStart >= startingSlots.size()) {
            return false;
        }
        int slot = startingSlots.get(shuffled == null ? nextStart : shuffled.at(nextStart));
        if (!startingSlots.mayServe(slot)) {
            nextStart += shuffled == null ? 0 : 1;
            return false;
        }
        nextStart++;
        if (canOneServeAll && startingSlots.isKnownToServeAlone(slot)) {
            // The tree has one candidate, which is known without a search of the tree.
            passedOnCount++;
            budget.spend(stepsPerCandidate);
            isEnded = !sink.receiveAlone(view.tree(slot), providers);
            return false;
        }
        return current().begin(view.tree(slot), startingSlots.isSuitableIfAlone(slot), budget);
    }

    /**
     * Passes the candidate to the sink, unless it has only sharing providers and was passed on for an earlier tree.
     * Returns false if the sink ends the search.
     */
    private boolean passOn(StepBudget budget) {
        TreeSearch passed = current();
        passed.copyTo(providers);
        if (passed.hasOnlySharing()) {
            if (!sharedSeen.add(providerIds())) {
                return true;
            }
            memory.reserve(KEY_BYTES + (long) Long.BYTES * providers.length);
        }
        passedOnCount++;
        budget.spend(stepsPerCandidate);
        boolean shouldContinue = sink.receive(passed.tree(), providers);
        if (isBreadthFirst) {
            if (passed.hasAlternatives()) {
                waiting.add(passed);
                current = nextStart < startingSlots.size() ? newTreeSearch() : null;
            }
            isBegun = false;
        }
        return shouldContinue;
    }

    private TreeSearch current() {
        return Objects.requireNonNull(current, "no tree is left to search");
    }

    private TreeSearch newTreeSearch() {
        return new TreeSearch(view, query, sharing, random, memory);
    }

    private LongBuffer providerIds() {
        long[] ids = new long[providers.length];
        for (int i = 0; i < ids.length; i++) {
            ids[i] = providers[i].id();
        }
        return LongBuffer.wrap(ids);
    }
}
