package io.berth.scheduler.explain;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.berth.model.Maps;
import io.berth.scheduler.decision.HostObstacle;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.PriorityQueue;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;

/**
 * Finds the smallest sets of changes after which a host is admissible. The size of a set is the number of its calls.
 *
 * <p>An option is a list of changes that are made together. First, each option that an obstacle offers, and each
 * omission of an optional member of the request, is tried alone. This shows which obstacles an option removes, not only
 * the obstacle that offered it. Then sets are extended, the smallest first, by options against an obstacle which is
 * expected to remain. A set is tried when no obstacle is expected to remain, or when its last option may not have
 * removed the whole obstacle; it is extended further if the trial finds obstacles.
 */
final class SmallestSets {
    /** The maximum number of sets that are returned. */
    private static final int SETS_MAX = 3;
    /** The number of sets at which the search ends; the best of them are returned. */
    private static final int FOUND_MAX = 8;
    /** The maximum number of changes in a set that is extended. */
    private static final int CHANGES_MAX = 12;

    private final Repairs repairs;
    private final Evaluation.Host rejected;
    /** Options by the JSON texts of their changes. */
    private final Map<Set<String>, List<Change>> options = new LinkedHashMap<>();
    /** Keys of options (as in {@link #options}), by the obstacle that offered them. */
    private final Map<String, Set<Set<String>>> optionsByObstacle = new HashMap<>();
    /** The obstacles that remained when an option was tried alone, by the option's key. */
    private final Map<Set<String>, Set<String>> remainingAfter = new LinkedHashMap<>();
    /** The obstacles of the host before any change. */
    private final Set<String> initialObstacles = new LinkedHashSet<>();
    /** Keys of the sets that were tried or queued. */
    private final Set<Set<String>> triedOrQueued = new HashSet<>();
    /** Sets after which the host is admissible, by the JSON texts of their changes. */
    private final Map<Set<String>, List<Change>> admittingSets = new LinkedHashMap<>();
    /** Sets to extend, the smallest first. */
    private final PriorityQueue<State> queue =
            new PriorityQueue<>(Comparator.<State>comparingInt(state -> Change.countCalls(state.changes()))
                    .thenComparingInt(State::number));
    private int stateCount;

    /**
     * A set to extend.
     *
     * @param remaining obstacles that are expected to remain after the changes
     * @param number orders sets of equal size by their creation
     */
    private record State(List<Change> changes, Set<String> remaining, int number) {}

    SmallestSets(Repairs repairs, Evaluation.Host rejected) {
        this.repairs = repairs;
        this.rejected = rejected;
    }

    /** Returns the sets that {@link Repairs#findSets} describes, before {@link CallsInOrder} adapts their calls. */
    List<List<Change>> find() {
        Repairs.Trial unchanged = repairs.withoutChanges(rejected);
        initialObstacles.addAll(addOptionsAgainst(unchanged));
        unchanged.changes().omissions().forEach(this::addOption);
        List.copyOf(options.values()).forEach(this::tryAlone);
        enqueue(List.of(), initialObstacles);
        while (!queue.isEmpty() && admittingSets.size() < FOUND_MAX && repairs.mayTry()
                && isSmallEnough(queue.peek())) {
            extend(queue.poll());
        }
        return best();
    }

    /** Returns the obstacles of a host, and adds the options that they offer. */
    private Set<String> addOptionsAgainst(Repairs.Trial tried) {
        Set<String> remaining = new LinkedHashSet<>();
        for (Obstacle obstacle : tried.host().obstacles()) {
            if (!isTransient(obstacle)) {
                String obstacleKey = keyOf(obstacle);
                remaining.add(obstacleKey);
                tried.changes().alternativesAgainst(obstacle).forEach(
                        option -> optionsByObstacle.computeIfAbsent(obstacleKey, key -> new LinkedHashSet<>())
                                .add(addOption(option)));
            }
        }
        return remaining;
    }

    /** Adds an option unless it exists, and returns its key. */
    private Set<String> addOption(List<Change> changes) {
        Set<String> keys = keys(changes);
        options.putIfAbsent(keys, changes);
        return keys;
    }

    /**
     * Returns whether the obstacle may disappear although no change is made against it: the limit on candidates cuts
     * the host off, or placement did not evaluate the host completely.
     */
    private static boolean isTransient(Obstacle obstacle) {
        return obstacle.code().equals(Evaluation.CUT)
                || obstacle.code().equals(HostObstacle.NOT_EVALUATED) && obstacle.isOfPlacement();
    }

    /** Returns a key of the obstacle that does not depend on its amounts. */
    private static String keyOf(Obstacle obstacle) {
        ObjectNode json = obstacle.json();
        String by = json.path("by").asText().replaceFirst("^(resources[^=]*=[^:]*):[0-9]+$", "$1");
        String name = by.startsWith("resources") ? "" : json.path("name").asText();
        return String.join("|", json.path("stage").asText(), by, obstacle.code(), name);
    }

    private static Set<String> keys(Collection<Change> changes) {
        return changes.stream().map(change -> change.json().toString()).collect(Collectors.toCollection(TreeSet::new));
    }

    /** Tries one option without others. Removes an option whose changes cannot be made. */
    private void tryAlone(List<Change> option) {
        Repairs.Trial tried = repairs.attempt(rejected.target(), option);
        if (tried == null) {
            if (repairs.mayTry()) {
                options.remove(keys(option));
            }
            return;
        }
        triedOrQueued.add(keys(option));
        if (tried.host().isAdmissible()) {
            addFound(option);
            return;
        }
        Set<String> remaining = addOptionsAgainst(tried);
        remainingAfter.put(keys(option), remaining);
        // An option that an obstacle offered may reduce the amount that the obstacle lacks, so it is extended even if
        // it removes no obstacle.
        if (!remaining.equals(initialObstacles)
                || optionsByObstacle.values().stream().anyMatch(each -> each.contains(keys(option)))) {
            enqueue(option, remaining);
        }
    }

    /** Adds a set that admits the host to the result, without its needless changes. */
    private void addFound(List<Change> set) {
        List<Change> minimal = set.size() == 1 ? set : withoutNeedless(set);
        admittingSets.putIfAbsent(keys(minimal), minimal);
    }

    /** Returns the set without the changes that a trial shows to be needless. */
    private List<Change> withoutNeedless(List<Change> admitting) {
        List<Change> kept = admitting;
        for (Change change : admitting) {
            List<Change> withoutOne = kept.stream().filter(each -> each != change).toList();
            Repairs.Trial tried = withoutOne.isEmpty() ? null : repairs.attempt(rejected.target(), withoutOne);
            if (tried != null && tried.host().isAdmissible()) {
                kept = withoutOne;
            }
        }
        return kept;
    }

    /** Queues a set to be extended, unless no obstacle remains or the set has too many changes. */
    private void enqueue(List<Change> changes, Set<String> remaining) {
        if (!remaining.isEmpty() && changes.size() <= CHANGES_MAX) {
            queue.add(new State(changes, remaining, stateCount++));
        }
    }

    /**
     * Returns whether a set is small enough to extend: not larger than the smallest set found so far that moves no
     * instance, and once {@value #SETS_MAX} sets are found, smaller than that one.
     */
    private boolean isSmallEnough(State state) {
        // Without such a set, the limit is CHANGES_MAX: a set has no more calls than changes.
        int smallest = admittingSets.values().stream()
                .filter(set -> !movesInstance(set))
                .mapToInt(Change::countCalls)
                .min()
                .orElse(CHANGES_MAX);
        int size = Change.countCalls(state.changes());
        return admittingSets.size() < SETS_MAX ? size <= smallest : size < smallest;
    }

    /**
     * Extends a set by each option against the remaining obstacle that has the fewest options. Ignores a set that
     * contains a set which was found already.
     */
    private void extend(State state) {
        if (admittingSets.keySet().stream().anyMatch(keys(state.changes())::containsAll)) {
            return;
        }
        Set<Set<String>> fewest = null;
        String target = null;
        for (String obstacle : state.remaining()) {
            Set<Set<String>> candidates = optionsAgainst(obstacle);
            if (fewest == null || candidates.size() < fewest.size()) {
                fewest = candidates;
                target = obstacle;
            }
        }
        if (fewest == null || target == null) {
            return;
        }
        for (Set<String> option : fewest) {
            if (repairs.mayTry()) {
                extend(state, Maps.require(options, option), target);
            }
        }
    }

    /** Returns the keys of the options that removed the obstacle when tried alone, or that the obstacle offered. */
    private Set<Set<String>> optionsAgainst(String obstacle) {
        Set<Set<String>> keys = new LinkedHashSet<>(optionsByObstacle.getOrDefault(obstacle, Set.of()));
        remainingAfter.forEach((option, remaining) -> {
            if (initialObstacles.contains(obstacle) && !remaining.contains(obstacle)) {
                keys.add(option);
            }
        });
        keys.retainAll(options.keySet());
        return keys;
    }

    /**
     * Extends a set by one option against an obstacle. Tries the new set if no obstacle is expected to remain, or if
     * this obstacle is, because the option may have reduced what it lacks; otherwise queues the new set.
     */
    private void extend(State state, List<Change> option, String against) {
        Map<String, Change> byKey = new LinkedHashMap<>();
        state.changes().forEach(change -> byKey.put(change.key(), change));
        // A change replaces an earlier one with the same key.
        option.forEach(change -> byKey.put(change.key(), change));
        List<Change> changes = List.copyOf(byKey.values());
        if (!triedOrQueued.add(keys(changes))) {
            return;
        }
        Set<String> remainingAfterOption = remainingAfter.get(keys(option));
        Set<String> remaining = new LinkedHashSet<>(state.remaining());
        remaining.removeIf(obstacle -> remainingAfterOption != null && initialObstacles.contains(obstacle)
                ? !remainingAfterOption.contains(obstacle)
                : obstacle.equals(against));
        if (!remaining.isEmpty() && !remaining.contains(against)) {
            enqueue(changes, remaining);
            return;
        }
        Repairs.Trial tried = repairs.attempt(rejected.target(), changes);
        if (tried == null) {
            return;
        }
        if (tried.host().isAdmissible()) {
            addFound(changes);
        } else {
            enqueue(changes, addOptionsAgainst(tried));
        }
    }

    private static boolean movesInstance(List<Change> set) {
        return set.stream().anyMatch(Change::movesInstance);
    }

    /** Returns the sets in the order and number that {@link Repairs#findSets} describes. */
    private List<List<Change>> best() {
        List<List<Change>> sorted = admittingSets.values().stream()
                .sorted(Comparator.<List<Change>>comparingInt(Change::countCalls)
                        .thenComparing(set -> set.stream().anyMatch(Change::exceedsHardware))
                        .thenComparingLong(set -> set.stream().filter(Change::changesRequest).count()))
                .toList();
        List<Change> moving = sorted.stream().filter(SmallestSets::movesInstance).findFirst().orElse(null);
        List<List<Change>> best = new ArrayList<>(sorted.stream()
                .filter(set -> !movesInstance(set))
                .limit(moving == null ? SETS_MAX : SETS_MAX - 1)
                .toList());
        if (moving != null) {
            best.add(moving);
        }
        return best;
    }
}
