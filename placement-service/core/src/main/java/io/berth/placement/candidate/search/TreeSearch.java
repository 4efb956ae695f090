package io.berth.placement.candidate.search;

import io.berth.placement.fleet.FleetView;
import io.berth.placement.fleet.Inventories;
import io.berth.placement.fleet.Provider;
import io.berth.placement.fleet.ProviderTree;
import jakarta.annotation.Nullable;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.random.RandomGenerator;

/**
 * Finds the candidates of one tree, one after the other: a backtracking search that assigns a provider to each part,
 * the part with the fewest choices first. The search keeps its position between calls. An instance and its arrays can
 * be reused for the next tree, so that trees without candidates need hardly any further memory. Not thread-safe.
 */
final class TreeSearch {
    /** The result of {@link #next}. */
    enum Outcome {
        /** The search is positioned at the next candidate. */
        FOUND,
        /** The steps of the budget are spent; call {@link #next} again with another budget. */
        PAUSED,
        /** The tree has no further candidate. */
        EXHAUSTED
    }

    /** The approximate bytes of a part, in addition to its choices. */
    private static final int PART_BYTES = 64;

    private final FleetView view;
    private final ResolvedQuery query;
    private final SharingProviders sharing;
    private final GroupPart[] parts;
    /** Shuffles the choices; null for the order of {@link ProviderTree#nodes}, with sharing providers last. */
    private final @Nullable RandomGenerator random;
    private final SearchMemory memory;
    /** Checks the required traits of the unsuffixed group; null if the query has none. */
    private final @Nullable TraitCoverage coverage;

    /** Set by {@link #begin}, before which no other method is called. */
    @SuppressWarnings("NullAway.Init")
    private ProviderTree tree;
    /**
     * True if the tree has one provider that certainly meets all conditions, so that only its free capacity is checked.
     */
    private boolean isKnownToSuit;
    /** The sharing providers of other trees that can serve the present tree. */
    private final List<SharingProviders.Sharing> visitors = new ArrayList<>();
    /**
     * By part, the positions of the providers that can serve the part. A position below the size of the tree is a node
     * of the tree; a higher one, minus that size, is an index in {@code visitors}.
     */
    private final int[][] choices;
    /** By part, the number of elements of {@code choices} that are in use. */
    private final int[] choiceCount;
    /**
     * By node, whether {@link GroupPart#suits} is true for the provider and the parts of the unsuffixed group: 1 for
     * yes, -1 for no, 0 if not computed yet.
     */
    private byte[] suitability = {};
    /** The parts by depth, that is in the order in which the search assigns providers. */
    private final int[] order;
    /** By depth, the index in {@code choices} of the present choice; -1 before the first choice. */
    private final int[] choiceByDepth;
    /** By part, the position of the present provider, as in {@code choices}. */
    private final int[] chosen;
    /**
     * For each rule of {@code sameSubtrees}, the depth at which the last of its parts gets a provider; the rule is
     * checked there.
     */
    private final int[] subtreeCompleteAt;
    /** By depth, the cost in steps of the rules that are checked there. */
    private final long[] subtreeSteps;
    /** The sum, over all rules of {@code sameSubtrees}, of the number of their parts. */
    private final long subtreePartCount;
    /** The depth at which the search continues; -1 if there is no further candidate. */
    private int depth = -1;
    /**
     * The part that no provider can serve, or for which the memory was spent, so that {@link #begin} returned false; -1
     * if there is no such part.
     */
    private int unservedPart = -1;

    /** @param random shuffles the choices; null for the order of {@link ProviderTree#nodes} */
    TreeSearch(
            FleetView view, ResolvedQuery query, SharingProviders sharing,
            @Nullable RandomGenerator random, SearchMemory memory) {
        this.view = view;
        this.query = query;
        this.sharing = sharing;
        this.random = random;
        this.memory = memory;
        this.parts = query.parts();
        memory.reserve((long) PART_BYTES * (parts.length + 4));
        this.choices = new int[parts.length][1];
        this.choiceCount = new int[parts.length];
        this.order = new int[parts.length];
        this.choiceByDepth = new int[parts.length];
        this.chosen = new int[parts.length];
        this.subtreeCompleteAt = new int[query.sameSubtrees().length];
        this.subtreeSteps = new long[parts.length];
        this.subtreePartCount = Arrays.stream(query.sameSubtrees()).mapToLong(members -> members.length).sum();
        this.coverage = query.unsuffixed() == null || query.unsuffixed().required().length == 0
                ? null
                : new TraitCoverage(query.unsuffixed().required(), query.unsuffixedCount(), memory);
    }

    ProviderTree tree() {
        return tree;
    }

    /** Returns whether the present tree may have more than one candidate. */
    boolean hasAlternatives() {
        for (int count : choiceCount) {
            if (count > 1) {
                return true;
            }
        }
        return false;
    }

    /**
     * Returns whether all providers of the present candidate are sharing providers, so that the same candidate may be
     * found for other trees.
     */
    boolean hasOnlySharing() {
        if (sharing.isEmpty()) {
            return false;
        }
        for (int part = 0; part < parts.length; part++) {
            if (!sharing.isSharing(provider(chosen[part]))) {
                return false;
            }
        }
        return true;
    }

    /** Writes the provider of each part of the present candidate. Call it only after {@link Outcome#FOUND}. */
    void copyTo(Provider[] providers) {
        for (int part = 0; part < parts.length; part++) {
            providers[part] = provider(chosen[part]);
        }
    }

    /**
     * Returns how often the present candidate, which must be the first of the tree, can be claimed until a repeated
     * search would find another first candidate; at least 1. The search finds the same candidate as long as no part
     * loses a choice. Call it only after {@link Outcome#FOUND}.
     */
    long repeatCount() {
        long max = Long.MAX_VALUE;
        for (int part = 0; part < parts.length; part++) {
            Inventories inventories = provider(chosen[part]).inventories();
            for (int classId : parts[part].classIds()) {
                long perCandidate = amountTakenFrom(chosen[part], classId);
                int index = inventories.find(classId);
                long free = (long) Math.floor(inventories.capacity(index)) - inventories.used()[index];
                max = Math.min(max, free / perCandidate);
                for (int other = 0; other < parts.length; other++) {
                    long amount = parts[other].amountOf(classId);
                    if (amount > 0 && isChoice(other, chosen[part])) {
                        // The provider remains a choice of the other part while it has this amount free.
                        max = Math.min(max, 1 + (free - amount) / perCandidate);
                    }
                }
            }
        }
        return max;
    }

    /** Returns the amount of a class that the candidate takes from the provider at a position. */
    private long amountTakenFrom(int position, int classId) {
        long sum = 0;
        for (int part = 0; part < parts.length; part++) {
            sum += chosen[part] == position ? parts[part].amountOf(classId) : 0;
        }
        return sum;
    }

    /** Returns whether the position is one of the choices of the part. */
    private boolean isChoice(int part, int position) {
        for (int choice = 0; choice < choiceCount[part]; choice++) {
            if (choices[part][choice] == position) {
                return true;
            }
        }
        return false;
    }

    /**
     * Returns the part that no provider can serve, or for which the memory was spent, so that {@link #begin} returned
     * false; -1 if there is no such part.
     */
    int unservedPart() {
        return unservedPart;
    }

    /**
     * Returns whether any provider could serve this part, regardless of other parts, in the tree of the last {@link
     * #begin}.
     */
    boolean canBeServed(GroupPart part) {
        Provider root = tree.root();
        return tree.nodes().stream().anyMatch(node -> part.hasRoom(node) && part.suits(node, root))
                || part.allowsSharingForTreeOf(root)
                        && visitors.stream().anyMatch(visitor -> part.isServedBySharing(visitor.provider));
    }

    /**
     * Begins with another tree, before its first candidate. Returns false if the tree cannot have a candidate, or if
     * the {@link SearchMemory} is spent.
     */
    boolean begin(ProviderTree next, StepBudget budget) {
        return begin(next, false, budget);
    }

    /**
     * Does the same as {@link #begin(ProviderTree, StepBudget)}, possibly with fewer checks.
     *
     * @param isSuitableIfAlone the result of {@link StartingSlots#isSuitableIfAlone}, which makes some checks
     *         unnecessary
     */
    boolean begin(ProviderTree next, boolean isSuitableIfAlone, StepBudget budget) {
        tree = next;
        isKnownToSuit = isSuitableIfAlone && next.size() == 1;
        depth = -1;
        unservedPart = -1;
        budget.spend(1);
        visitors.clear();
        if (suitability.length < tree.size()) {
            suitability = new byte[tree.size()];
        } else {
            Arrays.fill(suitability, 0, tree.size(), (byte) 0);
        }
        if (!isKnownToSuit && !query.accepts(tree)) {
            return false;
        }
        if (!sharing.isEmpty()) {
            sharing.collect(tree, visitors);
        }
        for (int part = 0; part < parts.length; part++) {
            budget.spend((tree.size() + visitors.size() + 3) / 4);
            if (!gatherChoices(part)) {
                unservedPart = part;
                return false;
            }
        }
        // The approximate steps of sortByChoices and scarceClass.
        budget.spend((long) parts.length * parts.length / 16
                + (long) query.contendedClasses().length * (parts.length + tree.size() + visitors.size()) / 4
                + parts.length * subtreePartCount / 16);
        sortByChoices();
        if (scarceClass() >= 0 || !isIsolationPossible()) {
            return false;
        }
        if (coverage != null && !isKnownToSuit && !coverage.begin(order, choices, choiceCount, this::provider)) {
            return false;
        }
        depth = 0;
        choiceByDepth[0] = -1;
        return true;
    }

    /**
     * Collects the providers that can serve the part, in random order if {@link #random} is set. Returns false if there
     * are none or the memory is spent.
     */
    private boolean gatherChoices(int part) {
        Provider root = tree.root();
        int all = tree.size() + visitors.size();
        if (choices[part].length < all) {
            if (!memory.reserve((long) Integer.BYTES * (all - choices[part].length))) {
                return false;
            }
            choices[part] = new int[all];
        }
        int[] found = choices[part];
        int count = 0;
        for (int node = 0; node < tree.size(); node++) {
            if (parts[part].hasRoom(tree.node(node)) && suits(part, node, root)) {
                found[count++] = node;
            }
        }
        if (!visitors.isEmpty() && parts[part].allowsSharingForTreeOf(root)) {
            for (int i = 0; i < visitors.size(); i++) {
                if (visitors.get(i).serves[part]) {
                    found[count++] = tree.size() + i;
                }
            }
        }
        choiceCount[part] = count;
        if (random != null) {
            for (int i = count - 1; i > 0; i--) {
                int other = random.nextInt(i + 1);
                int swapped = found[i];
                found[i] = found[other];
                found[other] = swapped;
            }
        }
        return count > 0;
    }

    private boolean suits(int part, int node, Provider root) {
        if (isKnownToSuit) {
            return true;
        }
        if (parts[part].isSuffixed()) {
            return parts[part].suits(tree.node(node), root);
        }
        if (suitability[node] == 0) {
            suitability[node] = (byte) (parts[part].suits(tree.node(node), root) ? 1 : -1);
        }
        return suitability[node] > 0;
    }

    /** Sorts the parts by their number of choices, and finds the depth at which each same_subtree rule is checked. */
    private void sortByChoices() {
        for (int i = 0; i < order.length; i++) {
            int at = i;
            while (at > 0 && choiceCount[order[at - 1]] > choiceCount[i]) {
                order[at] = order[at - 1];
                at--;
            }
            order[at] = i;
        }
        int[][] subtrees = query.sameSubtrees();
        Arrays.fill(subtreeSteps, 0);
        for (int rule = 0; rule < subtrees.length; rule++) {
            subtreeCompleteAt[rule] = 0;
            for (int at = 0; at < order.length; at++) {
                for (int part : subtrees[rule]) {
                    if (part == order[at]) {
                        subtreeCompleteAt[rule] = at;
                    }
                }
            }
            subtreeSteps[subtreeCompleteAt[rule]] += (long) subtrees[rule].length * subtrees[rule].length / 8;
        }
    }

    /**
     * Returns the first class of which several groups request more in total than the providers of this tree and the
     * sharing providers that serve it can allocate; -1 if there is none.
     */
    int scarceClass() {
        for (int classId : query.contendedClasses()) {
            double requested = 0;
            for (GroupPart part : parts) {
                requested += part.amountOf(classId);
            }
            double free = 0;
            for (int position = 0; position < tree.size() + visitors.size(); position++) {
                Inventories inventories = provider(position).inventories();
                int index = inventories.find(classId);
                if (index >= 0) {
                    double room =
                            Math.min(
                                    inventories.capacity(index) - inventories.used()[index],
                                    inventories.maxUnit()[index]);
                    free += Math.max(room, 0);
                }
            }
            if (requested > free) {
                return classId;
            }
        }
        return -1;
    }

    private boolean isIsolationPossible() {
        int suffixed = parts.length - query.unsuffixedCount();
        return !query.isolate()
                || suffixed < 2
                || DistinctChoices.exist(choices, choiceCount, query.unsuffixedCount(), tree.size() + visitors.size());
    }

    /** Continues the search to the next candidate. After FOUND, {@link #copyTo} writes the candidate's providers. */
    Outcome next(StepBudget budget) {
        while (depth >= 0) {
            if (depth == order.length) {
                depth--;
                return Outcome.FOUND;
            }
            if (budget.isSpent()) {
                return Outcome.PAUSED;
            }
            int part = order[depth];
            int choice = ++choiceByDepth[depth];
            if (choice >= choiceCount[part]) {
                depth--;
                continue;
            }
            // The approximate steps of isAllowed.
            budget.spend(1 + ((long) depth * (1 + query.contendedClasses().length) + subtreeCompleteAt.length >> 3)
                    + subtreeSteps[depth]);
            chosen[part] = choices[part][choice];
            if (isAllowed(part, choice)) {
                depth++;
                if (depth < order.length) {
                    choiceByDepth[depth] = -1;
                }
            }
        }
        return Outcome.EXHAUSTED;
    }

    /** Returns whether the latest choice, together with the choices before it, satisfies all rules. */
    private boolean isAllowed(int part, int choice) {
        return (!query.isolate() || isIsolated(part))
                && (query.nested() || isOnlyProviderOfItsTree(part))
                && (query.contendedClasses().length == 0 || isWithinCapacity(part))
                && (coverage == null || isKnownToSuit || coverage.isReachable(depth, part, choice))
                && areSubtreesKept();
    }

    /** Returns whether no earlier suffixed part has the same provider; true for a part of the unsuffixed group. */
    private boolean isIsolated(int part) {
        if (parts[part].isSuffixed()) {
            for (int before = 0; before < depth; before++) {
                int other = order[before];
                if (chosen[other] == chosen[part] && parts[other].isSuffixed()) {
                    return false;
                }
            }
        }
        return true;
    }

    /**
     * Returns whether no earlier part has another provider of the same tree: queries without nested providers allow one
     * provider per tree.
     */
    private boolean isOnlyProviderOfItsTree(int part) {
        long rootId = provider(chosen[part]).rootId();
        for (int before = 0; before < depth; before++) {
            int other = chosen[order[before]];
            if (other != chosen[part] && provider(other).rootId() == rootId) {
                return false;
            }
        }
        return true;
    }

    /**
     * Returns whether the part's provider can allocate the sum of all parts that are assigned to it so far. The amounts
     * of these parts become one allocation of each class.
     */
    private boolean isWithinCapacity(int part) {
        for (int classId : query.contendedClasses()) {
            long sum = parts[part].amountOf(classId);
            if (sum > 0) {
                for (int before = 0; before < depth; before++) {
                    if (chosen[order[before]] == chosen[part]) {
                        sum += parts[order[before]].amountOf(classId);
                    }
                }
                Inventories inventories = provider(chosen[part]).inventories();
                int at = inventories.find(classId);
                if (inventories.used()[at] + sum > inventories.capacity(at) || sum > inventories.maxUnit()[at]) {
                    return false;
                }
            }
        }
        return true;
    }

    /** Returns whether the {@code same_subtree} rules that become complete at this depth hold. */
    private boolean areSubtreesKept() {
        for (int rule = 0; rule < subtreeCompleteAt.length; rule++) {
            if (subtreeCompleteAt[rule] == depth && !isOneSubtree(query.sameSubtrees()[rule])) {
                return false;
            }
        }
        return true;
    }

    /**
     * Returns whether the provider of one of these parts is an ancestor of the providers of all other parts, or the
     * same provider.
     */
    private boolean isOneSubtree(int[] members) {
        for (int top : members) {
            boolean areAllWithin = true;
            for (int i = 0; areAllWithin && i < members.length; i++) {
                areAllWithin = isWithin(chosen[members[i]], chosen[top]);
            }
            if (areAllWithin) {
                return true;
            }
        }
        return false;
    }

    /**
     * Returns whether the provider at {@code position} is the provider at {@code ancestor} or one of its descendants;
     * both positions are as in {@code choices}.
     */
    private boolean isWithin(int position, int ancestor) {
        if (position == ancestor) {
            return true;
        }
        if (position < tree.size() && ancestor < tree.size()) {
            return tree.isWithin(position, ancestor);
        }
        Provider below = provider(position);
        Provider above = provider(ancestor);
        if (below.rootId() != above.rootId()) {
            return false;
        }
        ProviderTree other = view.treeOf(above);
        return other.isWithin(other.find(below.id()), other.find(above.id()));
    }

    /** Returns the provider at a position, as in {@code choices}. */
    private Provider provider(int position) {
        return position < tree.size() ? tree.node(position) : visitors.get(position - tree.size()).provider;
    }
}
