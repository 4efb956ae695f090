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
 * Finds the smallest sets of demands such that the query without them has more candidates, and verifies each set with
 * the search. A tree can become a candidate only if all its unmet demands are dropped. Therefore the sets to try are
 * the trees' sets of unmet demands, and each set without a success is extended by one demand. For each set, only the
 * trees whose unmet demands it includes are searched.
 */
final class Relaxations {
    /** The most relaxations in a result. */
    static final int MOST = 5;
    /** The most sets that are tried. After that, the relaxations found so far are returned as incomplete. */
    private static final int TRIED_MAX = 2_000;
    /** The most different sets that are queued; further sets are not tried, and the result is incomplete. */
    private static final int WAITING_MAX = 20_000;

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
     * @param isComplete false if a limit of time, sets or memory was reached, so that relaxations of the same or a
     *         smaller size may be missing
     */
    record Found(List<Relaxation> list, boolean isComplete) {}

    /**
     * A set of demands to drop.
     *
     * @param size number of demands in the set
     * @param most an upper bound of the trees that become candidates
     */
    private record Attempt(BitSet dropped, int size, int most) {}

    private final FleetView view;
    private final Demands demands;
    private final BlockedTrees blocked;
    private final BitSet candidates;
    private final int candidateCount;
    private final BooleanSupplier timeIsUp;
    private final PriorityQueue<Attempt> waiting = new PriorityQueue<>(
            Comparator.comparingInt(Attempt::size)
                    .thenComparing(Comparator.comparingInt(Attempt::most).reversed())
                    .thenComparing(attempt -> attempt.dropped().toString()));
    /** All sets that have been queued. */
    private final Set<BitSet> known = new HashSet<>();
    private boolean isComplete = true;
    /**
     * True once the time is up. The set that is being tried is then not returned, because only part of its trees have
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
     * @param most the most relaxations to find, at most {@link #MOST}
     */
    Found find(int most) {
        List<BitSet> found = new ArrayList<>();
        List<Relaxation> list = new ArrayList<>();
        blocked.byUnmet().keySet().forEach(this::offer);
        for (int tried = 0; list.size() < most && !waiting.isEmpty(); tried++) {
            if (isOver || tried == TRIED_MAX || timeIsUp.getAsBoolean()) {
                isComplete = false;
                break;
            }
            BitSet dropped = waiting.poll().dropped();
            if (found.stream().anyMatch(smaller -> includes(dropped, smaller))) {
                continue;
            }
            int won = won(dropped);
            if (won > 0) {
                found.add(dropped);
                list.add(new Relaxation(demands.texts(dropped), candidateCount + won, demands.textWithout(dropped)));
            } else {
                extend(dropped);
            }
        }
        list.sort(Comparator.<Relaxation>comparingInt(each -> each.without().size())
                .thenComparing(Comparator.comparingInt(Relaxation::candidates).reversed()));
        return new Found(list, isComplete);
    }

    private void extend(BitSet dropped) {
        for (int i = dropped.nextClearBit(0); i < demands.size(); i = dropped.nextClearBit(i + 1)) {
            var more = (BitSet) dropped.clone();
            more.set(i);
            offer(more);
        }
    }

    private void offer(BitSet dropped) {
        BitSet closed = demands.closure(dropped);
        if (known.size() >= WAITING_MAX) {
            isComplete = false;
        } else if (demands.without(closed) != null && known.add(closed)) {
            int most = 0;
            for (Map.Entry<BitSet, BlockedTrees.Trees> each : blocked.byUnmet().entrySet()) {
                most += includes(closed, each.getKey()) ? each.getValue().count() : 0;
            }
            waiting.add(new Attempt(closed, closed.cardinality(), most));
        }
    }

    /** Returns the number of additional candidates without these demands; 0 if the time is up. */
    private int won(BitSet dropped) {
        // Only demands without which a query remains are offered.
        CandidateQuery left = Objects.requireNonNull(demands.without(dropped));
        var probe = new TreeProbe(view, ResolvedQuery.of(view, left), SearchMemory.ofOneSearch());
        int won = 0;
        for (Map.Entry<BitSet, BlockedTrees.Trees> each : blocked.byUnmet().entrySet()) {
            if (includes(dropped, each.getKey())) {
                won += serving(probe, each.getValue().slots());
            }
        }
        if (won > 0 && demands.mayLose(dropped)) {
            won += serving(probe, candidates.stream().iterator()) - candidateCount;
        }
        return isOver ? 0 : won;
    }

    /** Returns the number of trees in which the search finds a candidate. */
    private int serving(TreeProbe probe, PrimitiveIterator.OfInt slots) {
        int serving = 0;
        for (int looked = 1; slots.hasNext() && !isOver; looked++) {
            switch (probe.ask(view.tree(slots.nextInt()), timeIsUp)) {
                case SERVES -> serving++;
                case DOES_NOT -> {}
                case UNKNOWN -> isComplete = false;
            }
            if ((looked & 63) == 0 && timeIsUp.getAsBoolean()) {
                isOver = true;
                isComplete = false;
            }
        }
        return serving;
    }

    private static boolean includes(BitSet all, BitSet some) {
        var rest = (BitSet) some.clone();
        rest.andNot(all);
        return rest.isEmpty();
    }
}
