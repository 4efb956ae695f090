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
 * Finds the smallest sets of changes after which a host is admissible, by the number of their calls.
 *
 * <p>An option is a list of changes that are made together. First, each option that an obstacle offers is tried alone,
 * and so is the request without each optional member; this shows which obstacles an option removes, whatever it was
 * offered for. Then sets are extended, the smallest first, by options that remove one of the obstacles that are still
 * expected. A set is tried when no obstacle is expected any more, and extended further if some remain.
 */
final class SmallestSets {
    /** The maximum sets that are returned. */
    private static final int SETS_MAX = 3;
    /** The search ends when it has found this many sets. */
    private static final int FOUND_MAX = 8;
    /** The maximum changes of one set. */
    private static final int CHANGES_MAX = 12;

    private final Repairs repairs;
    private final Evaluation.Host rejected;
    /** Options by the JSON texts of their changes. */
    private final Map<Set<String>, List<Change>> options = new LinkedHashMap<>();
    /** Keys of options, by the obstacle for which they were offered. */
    private final Map<String, Set<Set<String>>> offered = new HashMap<>();
    /** The obstacles that remain after each option that was tried alone, by the option's key. */
    private final Map<Set<String>, Set<String>> alone = new LinkedHashMap<>();
    /** The obstacles without any change. */
    private final Set<String> first = new LinkedHashSet<>();
    /** Keys of the sets that were tried or queued. */
    private final Set<Set<String>> seen = new HashSet<>();
    /** Sets after which the host is admissible, by the JSON texts of their changes. */
    private final Map<Set<String>, List<Change>> found = new LinkedHashMap<>();
    /** Sets to extend, the smallest first. */
    private final PriorityQueue<State> open =
            new PriorityQueue<>(Comparator.<State>comparingInt(state -> Change.count(state.changes()))
                    .thenComparingInt(State::number));
    private int states;

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

    /** Returns the sets as {@link Repairs#of} does, without adapted calls. */
    List<List<Change>> find() {
        Repairs.Trial now = repairs.asItIs(rejected);
        first.addAll(learn(now));
        now.changes().less().forEach(this::option);
        List.copyOf(options.values()).forEach(this::tryAlone);
        push(List.of(), first);
        while (!open.isEmpty() && found.size() < FOUND_MAX && repairs.mayTry() && isWorthIt(open.peek())) {
            grow(open.poll());
        }
        return best();
    }

    /** Returns the obstacles of a host, and adds the options that they offer. */
    private Set<String> learn(Repairs.Trial tried) {
        Set<String> left = new LinkedHashSet<>();
        for (Obstacle obstacle : tried.host().obstacles()) {
            if (!isTransient(obstacle)) {
                String about = about(obstacle);
                left.add(about);
                tried.changes().of(obstacle).forEach(
                        option -> offered.computeIfAbsent(about, key -> new LinkedHashSet<>()).add(option(option)));
            }
        }
        return left;
    }

    private Set<String> option(List<Change> changes) {
        Set<String> keys = keys(changes);
        options.putIfAbsent(keys, changes);
        return keys;
    }

    /**
     * Returns whether the obstacle may disappear without a change of its own: the limit on candidates cuts the host
     * off, or placement did not evaluate the host.
     */
    private static boolean isTransient(Obstacle obstacle) {
        return obstacle.code().equals(Evaluation.CUT)
                || obstacle.code().equals(HostObstacle.NOT_EVALUATED) && obstacle.isOfPlacement();
    }

    /** Returns a key of the obstacle, which does not depend on amounts. */
    private static String about(Obstacle obstacle) {
        ObjectNode json = obstacle.json();
        String by = json.path("by").asText().replaceFirst("^(resources[^=]*=[^:]*):[0-9]+$", "$1");
        String name = by.startsWith("resources") ? "" : json.path("name").asText();
        return String.join("|", json.path("stage").asText(), by, obstacle.code(), name);
    }

    private static Set<String> keys(Collection<Change> changes) {
        return changes.stream().map(change -> change.json().toString()).collect(Collectors.toCollection(TreeSet::new));
    }

    /** Tries one option, and forgets an option whose changes cannot be made. */
    private void tryAlone(List<Change> option) {
        Repairs.Trial tried = repairs.attempt(rejected.target(), option);
        if (tried == null) {
            if (repairs.mayTry()) {
                options.remove(keys(option));
            }
            return;
        }
        seen.add(keys(option));
        if (tried.host().isAdmissible()) {
            admits(option);
            return;
        }
        Set<String> left = learn(tried);
        alone.put(keys(option), left);
        // An option that removes no obstacle may still reduce one, so it is extended too.
        if (!left.equals(first) || offered.values().stream().anyMatch(each -> each.contains(keys(option)))) {
            push(option, left);
        }
    }

    /** Adds a set that admits the host to the result, without its needless changes. */
    private void admits(List<Change> set) {
        List<Change> least = set.size() == 1 ? set : least(set);
        found.putIfAbsent(keys(least), least);
    }

    /** Returns the set without the changes that a trial shows to be needless. */
    private List<Change> least(List<Change> admitting) {
        List<Change> left = admitting;
        for (Change change : admitting) {
            List<Change> without = left.stream().filter(each -> each != change).toList();
            Repairs.Trial tried = without.isEmpty() ? null : repairs.attempt(rejected.target(), without);
            if (tried != null && tried.host().isAdmissible()) {
                left = without;
            }
        }
        return left;
    }

    private void push(List<Change> changes, Set<String> left) {
        if (!left.isEmpty() && changes.size() <= CHANGES_MAX) {
            open.add(new State(changes, left, states++));
        }
    }

    /**
     * Returns whether to extend a set. A set larger than the smallest found one that moves no instance is never
     * extended, a set of the same size only while fewer than {@value #SETS_MAX} were found.
     */
    private boolean isWorthIt(State state) {
        int smallest =
                found.values().stream().filter(set -> !moves(set)).mapToInt(Change::count).min().orElse(CHANGES_MAX);
        int size = Change.count(state.changes());
        return found.size() < SETS_MAX ? size <= smallest : size < smallest;
    }

    /** Extends a set by each option against one of its obstacles, the one with the fewest options. */
    private void grow(State state) {
        if (found.keySet().stream().anyMatch(keys(state.changes())::containsAll)) {
            return;
        }
        Set<Set<String>> fewest = null;
        String against = null;
        for (String obstacle : state.remaining()) {
            Set<Set<String>> some = against(obstacle);
            if (fewest == null || some.size() < fewest.size()) {
                fewest = some;
                against = obstacle;
            }
        }
        if (fewest == null || against == null) {
            return;
        }
        for (Set<String> option : fewest) {
            if (repairs.mayTry()) {
                grow(state, Maps.require(options, option), against);
            }
        }
    }

    /** Returns the keys of the options that remove the obstacle when tried alone, or were offered for it. */
    private Set<Set<String>> against(String obstacle) {
        Set<Set<String>> against = new LinkedHashSet<>(offered.getOrDefault(obstacle, Set.of()));
        alone.forEach((option, left) -> {
            if (first.contains(obstacle) && !left.contains(obstacle)) {
                against.add(option);
            }
        });
        against.retainAll(options.keySet());
        return against;
    }

    private void grow(State state, List<Change> option, String against) {
        Map<String, Change> byKey = new LinkedHashMap<>();
        state.changes().forEach(change -> byKey.put(change.key(), change));
        // A change replaces an earlier one with the same key.
        option.forEach(change -> byKey.put(change.key(), change));
        List<Change> changes = List.copyOf(byKey.values());
        if (!seen.add(keys(changes))) {
            return;
        }
        Set<String> own = alone.get(keys(option));
        Set<String> left = new LinkedHashSet<>(state.remaining());
        left.removeIf(obstacle -> own != null && first.contains(obstacle)
                ? !own.contains(obstacle)
                : obstacle.equals(against));
        if (!left.isEmpty() && !left.contains(against)) {
            push(changes, left);
            return;
        }
        Repairs.Trial tried = repairs.attempt(rejected.target(), changes);
        if (tried == null) {
            return;
        }
        if (tried.host().isAdmissible()) {
            admits(changes);
        } else {
            push(changes, learn(tried));
        }
    }

    private static boolean moves(List<Change> set) {
        return set.stream().anyMatch(Change::moves);
    }

    /** Returns the sets to report, sorted: fewest calls, usual hardware and fewest changes of the request first. */
    private List<List<Change>> best() {
        List<List<Change>> sorted = found.values().stream()
                .sorted(Comparator.<List<Change>>comparingInt(Change::count)
                        .thenComparing(set -> set.stream().anyMatch(Change::isBeyond))
                        .thenComparingLong(set -> set.stream().filter(Change::ofRequest).count()))
                .toList();
        List<Change> moving = sorted.stream().filter(SmallestSets::moves).findFirst().orElse(null);
        List<List<Change>> best = new ArrayList<>(sorted.stream()
                .filter(set -> !moves(set))
                .limit(moving == null ? SETS_MAX : SETS_MAX - 1)
                .toList());
        if (moving != null) {
            best.add(moving);
        }
        return best;
    }
}
