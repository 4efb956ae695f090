package io.berth.placement.candidate.explanation;

import io.berth.placement.candidate.query.CandidateQuery;
import io.berth.placement.candidate.search.ResolvedQuery;
import io.berth.placement.candidate.search.SearchMemory;
import io.berth.placement.candidate.search.TreeProbe;
import io.berth.placement.fleet.FleetView;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.PrimitiveIterator;
import java.util.PriorityQueue;
import java.util.Set;
import java.util.function.BooleanSupplier;

/**
 * Finds relaxations: the smallest sets of demands such that the query without them has more candidates. A tree can
 * become a candidate only if all its unmet demands are dropped. Therefore each tree's set of unmet demands is tried
 * first, the smallest sets first. The search is run on the trees whose unmet demands are all in the set. If there are
 * not more candidates, the set is extended by each other demand in turn, and the extended sets are tried too. A set
 * that contains a relaxation is skipped.
 */
final class Relaxations {
    /** The most relaxations in a result. */
    static final int RELAXATIONS_MAX = 5;
    /** The maximum number of sets that are tried or skipped; beyond it, the result is incomplete. */
    private static final int TRIED_MAX = 2_000;
    /**
     * The maximum number of different sets that are queued; further sets are not tried, and the result is incomplete.
     */
    private static final int QUEUED_MAX = 20_000;

    /**
     * A set of demands to drop, and the effect.
     *
     * @param without the demands, as in a query string
     * @param candidates the number of trees that are candidates without these demands
     * @param query the query that remains, as a query string without a limit
     */
    record Relaxation(List<String> without, int candidates, String query) {}

    /**
     * The relaxations that were found.
     *
     * @param isComplete false if a limit of time, sets, search steps or memory was reached, so that relaxations of the
     *         same or a smaller size may be missing
     */
    record Found(List<Relaxation> list, boolean isComplete) {}

    /**
     * A set of demands to drop.
     *
     * @param size number of demands in the set
     * @param gainMax an upper bound of the number of trees that become candidates
     */
    private record Attempt(BitSet dropped, int size, int gainMax) {}

    private final FleetView view;
    private final Demands demands;
    private final BlockedTrees blocked;
    private final BitSet candidates;
    private final int candidateCount;
    private final BooleanSupplier timeIsUp;
    private final PriorityQueue<Attempt> queue = new PriorityQueue<>(
            Comparator.comparingInt(Attempt::size)
                    .thenComparing(Comparator.comparingInt(Attempt::gainMax).reversed())
                    .thenComparing(attempt -> attempt.dropped().toString()));
    /** All sets that have been queued, those that were tried included. */
    private final Set<BitSet> everQueued = new HashSet<>();
    private boolean isComplete = true;
    /**
     * True once the time is up. The set that is being tried is then not returned, because only some of its trees have
     * been searched.
     */
    private boolean isOver;

    /** @param candidates slots of the trees that are candidates of the query with all its demands */
    Relaxations(FleetView view, Demands demands, BlockedTrees blocked, BitSet candidates, BooleanSupplier timeIsUp) {
        this.view = view;
        this.demands = demands;
        this.blocked = blocked;
        this.candidates = candidates;
        this.candidateCount = candidates.cardinality();
        this.timeIsUp = timeIsUp;
    }

    /**
     * Finds the smallest relaxations.
     *
     * @param relaxationsMax the most relaxations to find, at most {@link #RELAXATIONS_MAX}
     */
    Found find(int relaxationsMax) {
        List<BitSet> found = new ArrayList<>();
        List<Relaxation> list = new ArrayList<>();
        blocked.byUnmet().keySet().forEach(this::offer);
        for (int tried = 0; list.size() < relaxationsMax && !queue.isEmpty(); tried++) {
            if (isOver || tried == TRIED_MAX || timeIsUp.getAsBoolean()) {
                isComplete = false;
                break;
            }
            BitSet dropped = queue.poll().dropped();
            if (found.stream().anyMatch(smaller -> includes(dropped, smaller))) {
                continue;
            }
            int gain = gainWithout(dropped);
            if (gain > 0) {
                found.add(dropped);
                list.add(new Relaxation(demands.texts(dropped), candidateCount + gain, demands.textWithout(dropped)));
            } else {
                extend(dropped);
            }
        }
        list.sort(Comparator.<Relaxation>comparingInt(each -> each.without().size())
                .thenComparing(Comparator.comparingInt(Relaxation::candidates).reversed()));
        return new Found(list, isComplete);
    }

    /** Offers each set that has one more demand. */
    private void extend(BitSet dropped) {
        for (int i = dropped.nextClearBit(0); i < demands.size(); i = dropped.nextClearBit(i + 1)) {
            var extended = (BitSet) dropped.clone();
            extended.set(i);
            offer(extended);
        }
    }

    /**
     * Queues the {@linkplain Demands#closure closure} of a set, unless it was queued before, no query remains without
     * it, or {@link #QUEUED_MAX} is reached.
     */
    private void offer(BitSet dropped) {
        BitSet closed = demands.closure(dropped);
        if (everQueued.size() >= QUEUED_MAX) {
            isComplete = false;
        } else if (demands.without(closed) != null && everQueued.add(closed)) {
            int gainMax = 0;
            for (Map.Entry<BitSet, BlockedTrees.Trees> each : blocked.byUnmet().entrySet()) {
                gainMax += includes(closed, each.getKey()) ? each.getValue().count() : 0;
            }
            queue.add(new Attempt(closed, closed.cardinality(), gainMax));
        }
    }

    /**
     * Returns the number of additional candidates without these demands, negative if there are fewer; 0 if the time is
     * up.
     */
    private int gainWithout(BitSet dropped) {
        // Not null: offer() queues only sets without which a query remains.
        CandidateQuery remaining = Objects.requireNonNull(demands.without(dropped));
        var probe = new TreeProbe(view, ResolvedQuery.of(view, remaining), SearchMemory.ofOneSearch());
        int gain = 0;
        for (Map.Entry<BitSet, BlockedTrees.Trees> each : blocked.byUnmet().entrySet()) {
            if (includes(dropped, each.getKey())) {
                gain += countCandidates(probe, each.getValue().slots());
            }
        }
        // Some of the present candidates may not be candidates of the remaining query.
        if (gain > 0 && demands.mayLoseCandidates(dropped)) {
            gain += countCandidates(probe, candidates.stream().iterator()) - candidateCount;
        }
        return isOver ? 0 : gain;
    }

    /** Returns the number of trees in which the search finds a candidate. */
    private int countCandidates(TreeProbe probe, PrimitiveIterator.OfInt slots) {
        int serving = 0;
        for (int searched = 1; slots.hasNext() && !isOver; searched++) {
            switch (probe.findOutcome(view.tree(slots.nextInt()), timeIsUp)) {
                case HAS_CANDIDATE -> serving++;
                case HAS_NONE -> {}
                case UNKNOWN -> isComplete = false;
            }
            if ((searched & 63) == 0 && timeIsUp.getAsBoolean()) {
                isOver = true;
                isComplete = false;
            }
        }
        return serving;
    }

    private static boolean includes(BitSet all, BitSet subset) {
        var missing = (BitSet) subset.clone();
        missing.andNot(all);
        return missing.isEmpty();
    }
}
