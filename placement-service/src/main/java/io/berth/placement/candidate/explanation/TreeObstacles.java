package io.berth.placement.candidate.explanation;

import io.berth.placement.candidate.explanation.Demand.Kind;
import io.berth.placement.candidate.explanation.Obstacle.Code;
import io.berth.placement.candidate.explanation.Obstacle.Measure;
import io.berth.placement.candidate.search.SearchMemory;
import io.berth.placement.candidate.search.TreeProbe.Outcome;
import io.berth.placement.fleet.FleetView;
import io.berth.placement.fleet.Inventories;
import io.berth.placement.fleet.Inventories.Breach;
import io.berth.placement.fleet.Provider;
import io.berth.placement.fleet.ProviderTree;
import jakarta.annotation.Nullable;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.BooleanSupplier;
import java.util.stream.Collectors;

/**
 * Finds the obstacles of one tree: a set of demands such that the search finds a candidate in the tree if they are
 * dropped.
 *
 * <p>The first step evaluates each part of the query separately. The evaluation starts with the providers that have the
 * part's classes, and applies the conditions in sequence, the amounts last. A condition that no remaining provider
 * meets becomes an obstacle and is dropped. The second step is repeated as long as the search finds no candidate
 * without the dropped demands: it finds a minimal set of demands that cannot be met together, and turns it into
 * obstacles. One instance may be used for many trees, one after the other.
 */
final class TreeObstacles {
    /** The bytes of a reference in a heap of less than 32 GB. */
    private static final int REFERENCE_BYTES = 4;

    private final FleetView view;
    private final Demands demands;
    private final Neighbors neighbors;
    private final Probes probes;
    private final BooleanSupplier timeIsUp;

    private final List<Obstacle> obstacles = new ArrayList<>();
    /** Indexes of the demands that became obstacles of the present tree. */
    private BitSet dropped;
    private Provider root;
    /** All providers that could serve a candidate of the present tree, see {@link Neighbors}. */
    private Provider[] providers;
    /** For each part, the providers that meet all its demands that were not dropped. */
    private Map<Integer, List<Provider>> providersOfPart;

    TreeObstacles(FleetView view, Demands demands, Neighbors neighbors, Probes probes, BooleanSupplier timeIsUp) {
        this.view = view;
        this.demands = demands;
        this.neighbors = neighbors;
        this.probes = probes;
        this.timeIsUp = timeIsUp;
    }

    /**
     * The obstacles of one tree.
     *
     * @param isComplete false if the time or the memory of the search ran out, so that obstacles may be missing
     */
    record Found(List<Obstacle> obstacles, boolean isComplete) {}

    /** Returns the obstacles of the tree; none if the tree is a candidate. */
    Found of(ProviderTree tree) {
        obstacles.clear();
        dropped = new BitSet();
        root = tree.root();
        Outcome outcome = ask(tree, dropped);
        if (outcome == Outcome.DOES_NOT) {
            providers = neighbors.of(tree);
            if (!SearchMemory.ofOneSearch().take((long) REFERENCE_BYTES * providers.length * demands.size())) {
                return new Found(List.of(), false);
            }
            providersOfPart = new HashMap<>();
            checkTree(tree);
            checkParts();
            outcome = ask(tree, dropped);
        }
        while (outcome == Outcome.DOES_NOT) {
            BitSet core = core(tree);
            if (core == null) {
                outcome = Outcome.UNKNOWN;
            } else {
                blame(core);
                outcome = ask(tree, dropped);
            }
        }
        return new Found(List.copyOf(obstacles), outcome == Outcome.SERVES);
    }

    /** Searches the tree without these demands. The outcome is unknown once the time is up. */
    private Outcome ask(ProviderTree tree, BitSet without) {
        return timeIsUp.getAsBoolean() ? Outcome.UNKNOWN : probes.ask(tree, without);
    }

    private void checkTree(ProviderTree tree) {
        for (int i = 0; i < demands.size(); i++) {
            Demand demand = demands.get(i);
            if (demand.isOfTree() && !demand.isMetBy(tree)) {
                addCondition(
                        i, demand.isOfRoot() ? List.of(root) : tree.nodes().stream().filter(demand::has).toList(),
                        List.of());
            }
        }
    }

    private void checkParts() {
        Map<Integer, List<Integer>> byPart = new HashMap<>();
        for (int i = 0; i < demands.size(); i++) {
            for (int part : demands.get(i).parts()) {
                byPart.computeIfAbsent(part, made -> new ArrayList<>()).add(i);
            }
        }
        // The providers that have classes of the unsuffixed group; they need the required traits of that group only
        // together.
        Set<Provider> together = new LinkedHashSet<>();
        byPart.keySet().stream().sorted().forEach(part -> {
            List<Integer> own = byPart.get(part);
            List<Integer> amounts = own.stream().filter(i -> demands.get(i).isAmount()).toList();
            List<Provider> left = withClasses(amounts);
            if (demands.get(own.getFirst()).suffix().isEmpty()) {
                together.addAll(left);
            }
            for (int i : own) {
                Demand demand = demands.get(i);
                if (!demand.isTogether() && !dropped.get(i)) {
                    List<Provider> meeting = left.stream().filter(provider -> demand.isMetBy(provider, root)).toList();
                    if (!meeting.isEmpty()) {
                        left = meeting;
                    } else if (demand.isAmount()) {
                        addAmount(i, left, List.of());
                    } else {
                        addCondition(i, left, List.of());
                    }
                }
            }
            providersOfPart.put(part, left);
        });
        for (int i = 0; i < demands.size(); i++) {
            Demand demand = demands.get(i);
            if (demand.isTogether() && together.stream().noneMatch(provider -> demand.isMetBy(provider, root))) {
                addCondition(i, List.copyOf(together), List.of());
            }
        }
    }

    /**
     * Returns the providers with an inventory of each of these classes. If there are none, adds the classes that the
     * best provider lacks as obstacles, and returns the providers that lack exactly these classes. The best provider is
     * the one that lacks the fewest.
     *
     * @param amounts indexes of demands
     */
    private List<Provider> withClasses(List<Integer> amounts) {
        Provider best = Arrays.stream(providers)
                .min(Comparator.comparingInt(provider -> lacking(provider, amounts).size()))
                .orElseThrow();
        Set<Integer> lacking = lacking(best, amounts);
        for (int i : lacking) {
            addAmount(i, List.of(best), List.of());
        }
        return Arrays.stream(providers).filter(provider -> lacking(provider, amounts).equals(lacking)).toList();
    }

    private Set<Integer> lacking(Provider provider, List<Integer> amounts) {
        return amounts.stream()
                .filter(i -> provider.inventories().find(demands.get(i).classId()) < 0)
                .collect(Collectors.toCollection(TreeSet::new));
    }

    /**
     * Returns a minimal set of demands that cannot be met together: without any of them, the search finds a candidate.
     * Null if the time is up.
     */
    private @Nullable BitSet core(ProviderTree tree) {
        var without = (BitSet) dropped.clone();
        // Tries to drop one demand after the other; a demand stays in the set if the tree is a candidate without it.
        // Rules are tried last, because the demands that are tried last are most likely to stay: an obstacle that a
        // rule explains is reported as that rule.
        boolean hasTogether = false;
        for (int turn = 0; turn < 4; turn++) {
            for (int i = demands.size() - 1; i >= 0; i--) {
                Demand demand = demands.get(i);
                // An amount stays if a trait of its group stays: without the amount, its provider, which may have the
                // trait, would no longer be part of the candidate.
                boolean stays = hasTogether && demand.isUnsuffixedAmount();
                if (turn(demand) == turn && !without.get(i) && !stays) {
                    without.set(i);
                    switch (ask(tree, without)) {
                        case DOES_NOT -> {}
                        case SERVES -> {
                            without.clear(i);
                            hasTogether |= demand.isTogether();
                        }
                        case UNKNOWN -> {
                            return null;
                        }
                    }
                }
            }
        }
        var core = new BitSet();
        core.set(0, demands.size());
        core.andNot(demands.closure(without));
        return core;
    }

    private static int turn(Demand demand) {
        return demand.isTogether() ? 0 : demand.isAmount() ? 1 : demand.isRule() ? 3 : 2;
    }

    /** Turns a minimal set of demands that cannot be met together into at least one obstacle. */
    private void blame(BitSet core) {
        List<Integer> rules = core.stream().filter(i -> demands.get(i).isRule()).boxed().toList();
        List<Integer> amounts = core.stream().filter(i -> demands.get(i).isAmount()).boxed().toList();
        List<Integer> conditions = core.stream()
                .filter(i -> !demands.get(i).isRule() && !demands.get(i).isAmount())
                .boxed()
                .toList();
        if (!rules.isEmpty()) {
            rules.forEach(rule -> addRule(rule, amounts, otherDemands(core, rule)));
        } else if (conditions.isEmpty()) {
            int last = amounts.getLast();
            addSum(last, amounts, otherDemands(core, last));
        } else if (!wentWithAnAmount(conditions) && !isFullWhereItSuits(amounts, conditions, core)) {
            conditions.forEach(i -> addCondition(i, providersOf(i), otherDemands(core, i)));
        }
    }

    /**
     * Drops the required traits that are unmet only because an amount of the same group is an obstacle already: a
     * provider with an inventory of that amount's class has the trait. Returns whether there are such traits.
     */
    private boolean wentWithAnAmount(List<Integer> conditions) {
        boolean any = false;
        for (int condition : conditions) {
            Demand demand = demands.get(condition);
            if (demand.isTogether() && dropped.stream().anyMatch(i -> comesWith(demand, demands.get(i)))) {
                dropped.set(condition);
                any = true;
            }
        }
        return any;
    }

    private boolean comesWith(Demand trait, Demand amount) {
        return amount.isUnsuffixedAmount()
                && Arrays.stream(providers).anyMatch(
                        provider -> provider.inventories().find(amount.classId()) >= 0
                                && trait.isMetBy(provider, root));
    }

    /**
     * Adds an amount as obstacle instead of the conditions, if the providers that meet the conditions have an inventory
     * of the class but cannot allocate the amount. Returns whether an obstacle was added.
     */
    private boolean isFullWhereItSuits(List<Integer> amounts, List<Integer> conditions, BitSet core) {
        for (int amount : amounts) {
            int classId = demands.get(amount).classId();
            List<Provider> suiting = Arrays.stream(providers)
                    .filter(provider -> provider.inventories().find(classId) >= 0)
                    .filter(provider -> conditions.stream().allMatch(i -> demands.get(i).isMetBy(provider, root)))
                    .toList();
            boolean isOneGroup = conditions.stream()
                    .allMatch(i -> demands.get(i).suffix().equals(demands.get(amount).suffix()));
            if (isOneGroup && !suiting.isEmpty()
                    && suiting.stream().noneMatch(provider -> demands.get(amount).isMetBy(provider, root))) {
                addAmount(amount, suiting, otherDemands(core, amount));
                return true;
            }
        }
        return false;
    }

    private List<String> otherDemands(BitSet core, int but) {
        var others = (BitSet) core.clone();
        others.clear(but);
        return demands.texts(others);
    }

    /** Returns the providers that could serve the parts of the demand with this index. */
    private List<Provider> providersOf(int demand) {
        return Arrays.stream(demands.get(demand).parts())
                .mapToObj(part -> providersOfPart.getOrDefault(part, List.of()))
                .flatMap(List::stream)
                .distinct()
                .toList();
    }

    private void addRule(int index, List<Integer> amounts, List<String> with) {
        Demand rule = demands.get(index);
        if (rule.kind() == Kind.ISOLATE) {
            Set<String> groups = new TreeSet<>();
            Set<Provider> able = new HashSet<>();
            for (int amount : amounts) {
                if (!demands.get(amount).suffix().isEmpty()) {
                    groups.add(demands.get(amount).suffix());
                    able.addAll(providersOf(amount));
                }
            }
            add(index, Code.ISOLATED_GROUPS_COLLIDE, with, groups.size(), able.size(), "groups", null);
            return;
        }
        Set<String> able = new TreeSet<>();
        for (int i = 0; i < demands.size(); i++) {
            Demand demand = demands.get(i);
            if (rule.names().contains(demand.suffix()) && !demand.suffix().isEmpty()) {
                providersOf(i).forEach(provider -> able.add(demand.suffix() + "=" + provider.name()));
            }
        }
        add(index, Code.SAME_SUBTREE, with, rule.names(), able, null);
    }

    /** Adds the obstacle that amounts of several groups can be allocated separately, but not together. */
    private void addSum(int index, List<Integer> amounts, List<String> with) {
        Demand last = demands.get(index);
        long wanted = 0;
        Set<Provider> able = new LinkedHashSet<>();
        for (int amount : amounts) {
            if (demands.get(amount).classId() == last.classId()) {
                wanted += demands.get(amount).amount();
                able.addAll(providersOf(amount));
            }
        }
        long free = 0;
        long atATime = 0;
        for (Provider provider : able) {
            Inventories inventories = provider.inventories();
            int at = inventories.find(last.classId());
            free += Math.max(0, inventories.free(at));
            atATime += inventories.maxUnit()[at];
        }
        boolean byUnit = wanted <= free && wanted > atATime;
        add(index, byUnit ? Code.MAX_UNIT : Code.CAPACITY, with, wanted, byUnit ? atATime : free,
                last.names().getFirst(), able.size() == 1 ? able.iterator().next() : null);
    }

    private void addAmount(int index, List<Provider> among, List<String> with) {
        Demand demand = demands.get(index);
        int classId = demand.classId();
        String unit = demand.names().getFirst();
        Provider nearest = among.stream()
                .filter(provider -> provider.inventories().find(classId) >= 0)
                .min(Comparator.<Provider>comparingInt(provider -> breaches(provider, demand).size())
                        .thenComparing(Comparator.<Provider>comparingLong(
                                provider -> provider.inventories().free(provider.inventories().find(classId)))
                                .reversed()))
                .orElse(null);
        if (nearest == null) {
            boolean isAnywhere =
                    Arrays.stream(providers).anyMatch(provider -> provider.inventories().find(classId) >= 0);
            Set<String> sharing = isAnywhere ? Set.of() : neighbors.aggregatesSharing(classId);
            if (sharing.isEmpty()) {
                add(index, Code.NO_INVENTORY, with, demand.amount(), 0, unit, among.getFirst());
            } else {
                obstacle(index, Code.NO_SHARING_PROVIDER, with, names(sharing), names(aggregates(List.of(providers))),
                        unit, null);
            }
            return;
        }
        Inventories inventories = nearest.inventories();
        int at = inventories.find(classId);
        for (Breach broken : breaches(nearest, demand)) {
            switch (broken) {
                case CAPACITY -> add(index, Code.CAPACITY, with, demand.amount(), inventories.free(at), unit, nearest);
                case MIN_UNIT ->
                    add(index, Code.MIN_UNIT, with, demand.amount(), inventories.minUnit()[at], unit, nearest);
                case MAX_UNIT ->
                    add(index, Code.MAX_UNIT, with, demand.amount(), inventories.maxUnit()[at], unit, nearest);
                case STEP_SIZE ->
                    add(index, Code.STEP_SIZE, with, demand.amount(), inventories.stepSize()[at], unit, nearest);
            }
        }
    }

    private static Set<Breach> breaches(Provider provider, Demand demand) {
        Inventories inventories = provider.inventories();
        return inventories.breaches(inventories.find(demand.classId()), demand.amount());
    }

    private void addCondition(int index, List<Provider> among, List<String> with) {
        Demand demand = demands.get(index);
        Provider one = among.size() == 1 ? among.getFirst() : null;
        switch (demand.kind()) {
            case IN_TREE -> add(index, Code.NOT_IN_TREE, with, demand.names(), Set.of(root.uuid().toString()), null);
            case MEMBER_OF ->
                add(index, Code.NOT_IN_AGGREGATE, with, demand.names(), aggregates(withRoot(demand, among)), one);
            case NOT_MEMBER_OF -> add(index, Code.IN_FORBIDDEN_AGGREGATE, with, demand.names(),
                    forbidden(demand, aggregates(withRoot(demand, among))), one);
            case REQUIRED -> add(index, Code.TRAIT_MISSING, with, demand.names(), traits(among), one);
            case FORBIDDEN ->
                add(index, Code.TRAIT_FORBIDDEN, with, demand.names(), forbidden(demand, traits(among)), one);
            case ROOT_REQUIRED -> add(index, Code.ROOT_REQUIRED, with, demand.names(), traits(among), one);
            case ROOT_FORBIDDEN ->
                add(index, Code.ROOT_REQUIRED, with, demand.names(), forbidden(demand, traits(among)), one);
            case WITHOUT_INVENTORY -> add(index, Code.INVENTORY_PRESENT, with, demand.names(), demand.names(), one);
            case AMOUNT, ISOLATE, SAME_SUBTREE -> throw new IllegalStateException("no condition: " + demand.text());
        }
    }

    /**
     * Returns the providers and the root, if the aggregates of the root count for them: for the unsuffixed group, every
     * provider of the tree is in the aggregates of the root. Sharing providers of other trees are not.
     */
    private List<Provider> withRoot(Demand demand, List<Provider> among) {
        if (!demand.suffix().isEmpty() || among.contains(root)
                || !among.isEmpty() && among.stream().noneMatch(provider -> provider.rootId() == root.id())) {
            return among;
        }
        List<Provider> all = new ArrayList<>(among);
        all.add(root);
        return all;
    }

    private static Set<String> aggregates(Collection<Provider> providers) {
        return providers.stream()
                .flatMap(provider -> Arrays.stream(provider.aggregates()))
                .map(Object::toString)
                .collect(Collectors.toCollection(TreeSet::new));
    }

    private Set<String> traits(Collection<Provider> providers) {
        return providers.stream()
                .flatMapToInt(provider -> Arrays.stream(provider.traitIds()))
                .mapToObj(view.traits()::name)
                .collect(Collectors.toCollection(TreeSet::new));
    }

    private static Set<String> forbidden(Demand demand, Set<String> had) {
        had.removeIf(name -> !demand.names().contains("!" + name));
        return had;
    }

    private void add(
            int index, Code code, List<String> with, long wanted, long had, String unit, @Nullable Provider provider) {
        obstacle(index, code, with, new Measure.Units(wanted), new Measure.Units(had), unit, provider);
    }

    private void add(
            int index, Code code, List<String> with, Collection<String> wanted, Collection<String> had,
            @Nullable Provider provider) {
        obstacle(index, code, with, names(wanted), names(had), null, provider);
    }

    private static Measure names(Collection<String> names) {
        return new Measure.Names(List.copyOf(names));
    }

    /** Drops the demand, and adds the obstacle unless the demand has an obstacle with this code already. */
    private void obstacle(
            int index, Code code, List<String> with, Measure wanted, Measure had, @Nullable String unit,
            @Nullable Provider provider) {
        dropped.set(index);
        String by = demands.get(index).text();
        if (obstacles.stream().noneMatch(known -> known.code() == code && known.by().equals(by))) {
            obstacles.add(new Obstacle(by, code, with, wanted, had, unit, provider));
        }
    }
}
