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
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.BooleanSupplier;
import java.util.stream.Collectors;

/**
 * Finds the obstacles of one tree: demands such that the search finds a candidate in the tree if all of them are
 * dropped.
 *
 * <p>The first step evaluates the demands on the root and the tree, and then each part of the query ({@link
 * Demand#parts}) separately. The evaluation of a part starts with the providers that have inventories of the part's
 * resource classes, and applies the conditions in sequence, the amounts last; the required traits of the unsuffixed
 * group are evaluated once for all its parts. A demand that no remaining provider meets becomes an obstacle and is
 * dropped.
 *
 * <p>While the search, run without the dropped demands, still finds no candidate, the second step runs again. It finds
 * a set of demands that cannot be met together, and drops at least one of them. Each dropped demand becomes an
 * obstacle, except a required trait that is unmet only because an amount was dropped ({@link
 * #dropTraitsOfDroppedAmounts}). One object may be used for many trees, one after the other.
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
    /** Indexes of the demands that were dropped for the present tree. */
    private BitSet dropped = new BitSet();
    @SuppressWarnings("NullAway.Init")
    private Provider root;
    /** All providers from which a candidate of the present tree could take, see {@link Neighbors}. */
    private Provider[] providers = {};
    /**
     * For each part, the providers that meet all its demands that were not dropped in the first step, except required
     * traits of the unsuffixed group.
     */
    private Map<Integer, List<Provider>> providersOfPart = new HashMap<>();

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
     * @param isComplete false if a search ended at a limit of time, steps or memory, so that obstacles may be missing
     */
    record Found(List<Obstacle> obstacles, boolean isComplete) {}

    /** Returns the obstacles of the tree; a complete empty list if the tree is a candidate. */
    Found of(ProviderTree tree) {
        obstacles.clear();
        dropped = new BitSet();
        root = tree.root();
        Outcome outcome = searchWithout(tree, dropped);
        if (outcome == Outcome.HAS_NONE) {
            providers = neighbors.providersFor(tree);
            if (!SearchMemory.ofOneSearch().reserve((long) REFERENCE_BYTES * providers.length * demands.size())) {
                return new Found(List.of(), false);
            }
            providersOfPart = new HashMap<>();
            checkTree(tree);
            checkParts();
            outcome = searchWithout(tree, dropped);
        }
        while (outcome == Outcome.HAS_NONE) {
            BitSet conflict = findConflict(tree);
            if (conflict == null) {
                outcome = Outcome.UNKNOWN;
            } else {
                addObstacles(conflict);
                outcome = searchWithout(tree, dropped);
            }
        }
        return new Found(List.copyOf(obstacles), outcome == Outcome.HAS_CANDIDATE);
    }

    /** Searches the tree with the query without these demands. The outcome is unknown once the time is up. */
    private Outcome searchWithout(ProviderTree tree, BitSet without) {
        return timeIsUp.getAsBoolean() ? Outcome.UNKNOWN : probes.searchWithout(tree, without);
    }

    /** Drops the demands on the root and the tree that the tree does not meet, each with an obstacle. */
    private void checkTree(ProviderTree tree) {
        for (int i = 0; i < demands.size(); i++) {
            Demand demand = demands.get(i);
            if (demand.isOfTree() && !demand.isMetBy(tree)) {
                addCondition(
                        i, demand.isOfRoot()
                                ? List.of(root)
                                : tree.nodes().stream().filter(demand::hasInventoryOfClass).toList(),
                        List.of());
            }
        }
    }

    /** Drops the demands that no remaining provider of their part meets, each with an obstacle. */
    private void checkParts() {
        SortedMap<Integer, List<Integer>> byPart = new TreeMap<>();
        for (int i = 0; i < demands.size(); i++) {
            for (int part : demands.get(i).parts()) {
                byPart.computeIfAbsent(part, _ -> new ArrayList<>()).add(i);
            }
        }
        // The providers that have classes of the unsuffixed group. Each required trait of that group must be on one of
        // them.
        Set<Provider> ofUnsuffixedGroup = new LinkedHashSet<>();
        byPart.forEach((part, ofThisPart) -> {
            List<Integer> amounts = ofThisPart.stream().filter(i -> demands.get(i).isAmount()).toList();
            List<Provider> remaining = withClasses(amounts);
            if (demands.get(ofThisPart.getFirst()).suffix().isEmpty()) {
                ofUnsuffixedGroup.addAll(remaining);
            }
            for (int i : ofThisPart) {
                Demand demand = demands.get(i);
                if (!demand.isUnsuffixedRequired() && !dropped.get(i)) {
                    List<Provider> meeting =
                            remaining.stream().filter(provider -> demand.isMetBy(provider, root)).toList();
                    if (!meeting.isEmpty()) {
                        remaining = meeting;
                    } else if (demand.isAmount()) {
                        addAmount(i, remaining, List.of());
                    } else {
                        addCondition(i, remaining, List.of());
                    }
                }
            }
            providersOfPart.put(part, remaining);
        });
        for (int i = 0; i < demands.size(); i++) {
            Demand demand = demands.get(i);
            if (demand.isUnsuffixedRequired()
                    && ofUnsuffixedGroup.stream().noneMatch(provider -> demand.isMetBy(provider, root))) {
                addCondition(i, List.copyOf(ofUnsuffixedGroup), List.of());
            }
        }
    }

    /**
     * Returns the providers with an inventory of each class of these amounts. If there are none, chooses the provider
     * that lacks the fewest classes, adds each missing class as an obstacle, and returns all providers that lack
     * exactly these classes.
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

    /** Returns the indexes of those amounts for whose class the provider has no inventory. */
    private Set<Integer> lacking(Provider provider, List<Integer> amounts) {
        return amounts.stream()
                .filter(i -> provider.inventories().find(demands.get(i).classId()) < 0)
                .collect(Collectors.toCollection(TreeSet::new));
    }

    /**
     * Returns a set of demands that cannot be met together. If it has no required trait of the unsuffixed group, it is
     * minimal: without any one of its demands, the search finds a candidate. If it has one, it also contains all
     * amounts of that group that are not dropped yet. Null if the time is up, or if a search ended at a limit.
     */
    private @Nullable BitSet findConflict(ProviderTree tree) {
        var without = (BitSet) dropped.clone();
        // Drops one demand after the other; a demand stays in the set if the tree is a candidate without it. The
        // demands that are tried last are the most likely to stay. Rules are tried last, so that a conflict that a rule
        // explains is reported as that rule.
        boolean traitStays = false;
        for (int turn = 0; turn < 4; turn++) {
            for (int i = demands.size() - 1; i >= 0; i--) {
                Demand demand = demands.get(i);
                // An amount of the unsuffixed group stays if a required trait of the group stays: without the amount,
                // its provider, which may have the trait, would no longer be part of the candidate.
                boolean stays = traitStays && demand.isUnsuffixedAmount();
                if (turn(demand) == turn && !without.get(i) && !stays) {
                    without.set(i);
                    switch (searchWithout(tree, without)) {
                        case HAS_NONE -> {}
                        case HAS_CANDIDATE -> {
                            without.clear(i);
                            traitStays |= demand.isUnsuffixedRequired();
                        }
                        case UNKNOWN -> {
                            return null;
                        }
                    }
                }
            }
        }
        // A group whose amounts are all dropped is dropped as a whole, so its conditions are not in the conflict.
        var conflict = new BitSet();
        conflict.set(0, demands.size());
        conflict.andNot(demands.closure(without));
        return conflict;
    }

    /**
     * Returns the turn in which the demand is tried: 0 for required traits of the unsuffixed group, 1 for amounts, 2
     * for other conditions, 3 for rules.
     */
    private static int turn(Demand demand) {
        return demand.isUnsuffixedRequired() ? 0 : demand.isAmount() ? 1 : demand.isRule() ? 3 : 2;
    }

    /**
     * Drops at least one demand of a set that cannot be met together, and adds an obstacle for each dropped demand.
     * Only {@link #dropTraitsOfDroppedAmounts} drops demands without an obstacle.
     */
    private void addObstacles(BitSet conflict) {
        List<Integer> rules = conflict.stream().filter(i -> demands.get(i).isRule()).boxed().toList();
        List<Integer> amounts = conflict.stream().filter(i -> demands.get(i).isAmount()).boxed().toList();
        List<Integer> conditions = conflict.stream()
                .filter(i -> !demands.get(i).isRule() && !demands.get(i).isAmount())
                .boxed()
                .toList();
        if (!rules.isEmpty()) {
            rules.forEach(rule -> addRule(rule, amounts, otherDemands(conflict, rule)));
        } else if (conditions.isEmpty()) {
            int last = amounts.getLast();
            addSum(last, amounts, otherDemands(conflict, last));
        } else if (!dropTraitsOfDroppedAmounts(conditions) && !addFullAmount(amounts, conditions, conflict)) {
            conditions.forEach(i -> addCondition(i, providersOf(i), otherDemands(conflict, i)));
        }
    }

    /**
     * Drops, without an obstacle, the required traits that are unmet only because an amount of the unsuffixed group was
     * dropped: a provider with an inventory of that amount's class has the trait. Returns whether there are such
     * traits.
     */
    private boolean dropTraitsOfDroppedAmounts(List<Integer> conditions) {
        boolean any = false;
        for (int condition : conditions) {
            Demand demand = demands.get(condition);
            if (demand.isUnsuffixedRequired() && dropped.stream().anyMatch(i -> hasBoth(demand, demands.get(i)))) {
                dropped.set(condition);
                any = true;
            }
        }
        return any;
    }

    /**
     * Returns whether the amount is of the unsuffixed group, and a provider has both the trait and an inventory of the
     * amount's class.
     */
    private boolean hasBoth(Demand trait, Demand amount) {
        return amount.isUnsuffixedAmount()
                && Arrays.stream(providers).anyMatch(
                        provider -> provider.inventories().find(amount.classId()) >= 0
                                && trait.isMetBy(provider, root));
    }

    /**
     * Adds an amount as obstacle instead of the conditions, if all conditions are of the amount's group, and the
     * providers that meet them have an inventory of the class but cannot allocate the amount. Returns whether an
     * obstacle was added.
     */
    private boolean addFullAmount(List<Integer> amounts, List<Integer> conditions, BitSet conflict) {
        for (int amount : amounts) {
            int classId = demands.get(amount).classId();
            List<Provider> suitable = Arrays.stream(providers)
                    .filter(provider -> provider.inventories().find(classId) >= 0)
                    .filter(provider -> conditions.stream().allMatch(i -> demands.get(i).isMetBy(provider, root)))
                    .toList();
            boolean isOneGroup = conditions.stream()
                    .allMatch(i -> demands.get(i).suffix().equals(demands.get(amount).suffix()));
            if (isOneGroup && !suitable.isEmpty()
                    && suitable.stream().noneMatch(provider -> demands.get(amount).isMetBy(provider, root))) {
                addAmount(amount, suitable, otherDemands(conflict, amount));
                return true;
            }
        }
        return false;
    }

    private List<String> otherDemands(BitSet conflict, int index) {
        var others = (BitSet) conflict.clone();
        others.clear(index);
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

    /** Adds the obstacle of a rule for several groups: {@code group_policy=isolate} or a {@code same_subtree}. */
    private void addRule(int index, List<Integer> amounts, List<String> with) {
        Demand rule = demands.get(index);
        if (rule.kind() == Kind.ISOLATE) {
            Set<String> groups = new TreeSet<>();
            Set<Provider> capable = new HashSet<>();
            for (int amount : amounts) {
                if (!demands.get(amount).suffix().isEmpty()) {
                    groups.add(demands.get(amount).suffix());
                    capable.addAll(providersOf(amount));
                }
            }
            add(index, Code.ISOLATED_GROUPS_COLLIDE, with, groups.size(), capable.size(), "groups", null);
            return;
        }
        Set<String> capable = new TreeSet<>();
        for (int i = 0; i < demands.size(); i++) {
            Demand demand = demands.get(i);
            if (rule.names().contains(demand.suffix()) && !demand.suffix().isEmpty()) {
                providersOf(i).forEach(provider -> capable.add(demand.suffix() + "=" + provider.name()));
            }
        }
        add(index, Code.SAME_SUBTREE, with, rule.names(), capable, null);
    }

    /**
     * Adds the obstacle that amounts of one class can be allocated separately, but not together: {@code MAX_UNIT} if
     * the providers have enough free units for the sum but their {@code max_unit} do not suffice, otherwise {@code
     * CAPACITY}.
     *
     * @param index index of the amount that becomes the obstacle; only amounts of its class are added up
     */
    private void addSum(int index, List<Integer> amounts, List<String> with) {
        Demand last = demands.get(index);
        long wanted = 0;
        Set<Provider> capable = new LinkedHashSet<>();
        for (int amount : amounts) {
            if (demands.get(amount).classId() == last.classId()) {
                wanted += demands.get(amount).amount();
                capable.addAll(providersOf(amount));
            }
        }
        long free = 0;
        long maxUnits = 0;
        for (Provider provider : capable) {
            Inventories inventories = provider.inventories();
            int at = inventories.find(last.classId());
            free += Math.max(0, inventories.free(at));
            maxUnits += inventories.maxUnit()[at];
        }
        boolean isMaxUnitExceeded = wanted <= free && wanted > maxUnits;
        add(index, isMaxUnitExceeded ? Code.MAX_UNIT : Code.CAPACITY, with, wanted, isMaxUnitExceeded ? maxUnits : free,
                last.names().getFirst(), capable.size() == 1 ? capable.iterator().next() : null);
    }

    /**
     * Adds the obstacles of an amount that none of the providers can allocate: one for each limit that excludes it on
     * the nearest provider, which is the one with the fewest such limits and then the most free units. If none of the
     * providers has an inventory of the class, adds one obstacle that says so.
     */
    private void addAmount(int index, List<Provider> evaluatedProviders, List<String> with) {
        Demand demand = demands.get(index);
        int classId = demand.classId();
        String unit = demand.names().getFirst();
        Provider nearest = evaluatedProviders.stream()
                .filter(provider -> provider.inventories().find(classId) >= 0)
                .min(Comparator.<Provider>comparingInt(provider -> breaches(provider, demand).size())
                        .thenComparing(Comparator.<Provider>comparingLong(
                                provider -> provider.inventories().free(provider.inventories().find(classId)))
                                .reversed()))
                .orElse(null);
        if (nearest == null) {
            boolean anyHasClass =
                    Arrays.stream(providers).anyMatch(provider -> provider.inventories().find(classId) >= 0);
            Set<String> sharing = anyHasClass ? Set.of() : neighbors.aggregatesSharing(classId);
            if (sharing.isEmpty()) {
                add(index, Code.NO_INVENTORY, with, demand.amount(), 0, unit, evaluatedProviders.getFirst());
            } else {
                dropWithObstacle(index, Code.NO_SHARING_PROVIDER, with, names(sharing),
                        names(aggregates(List.of(providers))),
                        unit, null);
            }
            return;
        }
        Inventories inventories = nearest.inventories();
        int at = inventories.find(classId);
        for (Breach breach : breaches(nearest, demand)) {
            switch (breach) {
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

    /** Adds the obstacle of a condition that none of the providers meets. */
    private void addCondition(int index, List<Provider> evaluatedProviders, List<String> with) {
        Demand demand = demands.get(index);
        Provider onlyProvider = evaluatedProviders.size() == 1 ? evaluatedProviders.getFirst() : null;
        switch (demand.kind()) {
            case IN_TREE -> add(index, Code.NOT_IN_TREE, with, demand.names(), Set.of(root.uuid().toString()), null);
            case MEMBER_OF ->
                add(index, Code.NOT_IN_AGGREGATE, with, demand.names(),
                        aggregates(withRoot(demand, evaluatedProviders)), onlyProvider);
            case NOT_MEMBER_OF -> add(index, Code.IN_FORBIDDEN_AGGREGATE, with, demand.names(),
                    forbidden(demand, aggregates(withRoot(demand, evaluatedProviders))), onlyProvider);
            case REQUIRED ->
                add(index, Code.TRAIT_MISSING, with, demand.names(), traits(evaluatedProviders), onlyProvider);
            case FORBIDDEN ->
                add(index, Code.TRAIT_FORBIDDEN, with, demand.names(), forbidden(demand, traits(evaluatedProviders)),
                        onlyProvider);
            case ROOT_REQUIRED ->
                add(index, Code.ROOT_REQUIRED, with, demand.names(), traits(evaluatedProviders), onlyProvider);
            // Forbidden traits are written with a ! in the parameter root_required, so the code is the same.
            case ROOT_FORBIDDEN ->
                add(index, Code.ROOT_REQUIRED, with, demand.names(), forbidden(demand, traits(evaluatedProviders)),
                        onlyProvider);
            case WITHOUT_INVENTORY ->
                add(index, Code.INVENTORY_PRESENT, with, demand.names(), demand.names(), onlyProvider);
            case AMOUNT, ISOLATE, SAME_SUBTREE -> throw new IllegalStateException("no condition: " + demand.text());
        }
    }

    /**
     * Returns the providers. Adds the root if the demand is of the unsuffixed group, and a provider of this tree is
     * among them or the list is empty: in the unsuffixed group, a provider of the tree counts as a member of its root's
     * aggregates. A sharing provider of another tree does not.
     */
    private List<Provider> withRoot(Demand demand, List<Provider> evaluatedProviders) {
        if (!demand.suffix().isEmpty() || evaluatedProviders.contains(root)
                || !evaluatedProviders.isEmpty()
                        && evaluatedProviders.stream().noneMatch(provider -> provider.rootId() == root.id())) {
            return evaluatedProviders;
        }
        List<Provider> all = new ArrayList<>(evaluatedProviders);
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

    /** Removes from {@code had} all names that the demand does not forbid, and returns {@code had}. */
    private static Set<String> forbidden(Demand demand, Set<String> had) {
        had.removeIf(name -> !demand.names().contains("!" + name));
        return had;
    }

    private void add(
            int index, Code code, List<String> with, long wanted, long had, String unit, @Nullable Provider provider) {
        dropWithObstacle(index, code, with, new Measure.Units(wanted), new Measure.Units(had), unit, provider);
    }

    private void add(
            int index, Code code, List<String> with, Collection<String> wanted, Collection<String> had,
            @Nullable Provider provider) {
        dropWithObstacle(index, code, with, names(wanted), names(had), null, provider);
    }

    private static Measure names(Collection<String> names) {
        return new Measure.Names(List.copyOf(names));
    }

    /** Drops the demand, and adds the obstacle unless the demand has an obstacle with this code already. */
    private void dropWithObstacle(
            int index, Code code, List<String> with, Measure wanted, Measure had, @Nullable String unit,
            @Nullable Provider provider) {
        dropped.set(index);
        String by = demands.get(index).text();
        if (obstacles.stream().noneMatch(known -> known.code() == code && known.by().equals(by))) {
            obstacles.add(new Obstacle(by, code, with, wanted, had, unit, provider));
        }
    }
}
