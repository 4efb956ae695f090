package io.berth.deploy.migration.plan;

import io.berth.deploy.migration.state.Inventory;
import io.berth.deploy.migration.state.PlacementState;
import io.berth.deploy.migration.state.Provider;
import io.berth.model.Maps;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.UUID;

/**
 * The writes that make the target's state equal to the source's. {@link PlanRun} sends them in the order of the
 * members. All members are empty if the states are equal. Computed without I/O.
 *
 * @param newResourceClasses custom resource classes that the target lacks
 * @param newTraits custom traits that the target lacks
 * @param goneConsumers consumers that only the target has; empty without {@code --prune}
 * @param detached providers that have a parent in the target, and another one or none in the source. They first become
 *         roots, because changing parents one by one could form a loop, which a Placement refuses
 * @param temporarilyRenamed providers of the target whose present name another provider will get. They first get a
 *         temporary name
 * @param createdOrMoved providers that are created or get another name or parent. Each list is one level of the trees,
 *         roots first
 * @param withNewTraitsOrAggregates providers whose traits or aggregates change, and new providers that have any
 * @param interimInventories for each provider whose inventories change before the allocations are written: all its
 *         inventories from then on, by resource class ({@link InventoryPlan})
 * @param consumers consumers that are created or get other allocations, another project, user or type
 * @param finalInventories for each provider whose inventories change after the allocations are written: all its
 *         inventories from then on, by resource class
 * @param goneProviders providers that only the target has; empty without {@code --prune}. Each list is one level of the
 *         trees, children before parents
 * @param goneResourceClasses custom resource classes that only the target has; empty without {@code --prune}
 * @param goneTraits custom traits that only the target has; empty without {@code --prune}
 */
public record Plan(
        List<String> newResourceClasses,
        List<String> newTraits,
        List<UUID> goneConsumers,
        List<UUID> detached,
        List<UUID> temporarilyRenamed,
        List<List<UUID>> createdOrMoved,
        List<UUID> withNewTraitsOrAggregates,
        Map<UUID, SortedMap<String, Inventory>> interimInventories,
        List<UUID> consumers,
        Map<UUID, SortedMap<String, Inventory>> finalInventories,
        List<List<UUID>> goneProviders,
        List<String> goneResourceClasses,
        List<String> goneTraits) {
    /**
     * Compares the states and plans the writes.
     *
     * @param prune whether to remove what only the target has
     */
    public static Plan of(PlacementState source, PlacementState target, boolean prune) {
        Map<UUID, Provider> targetProviders = target.providers();
        Set<UUID> goneProviders = onlyIn(targetProviders.keySet(), source.providers().keySet());
        Set<UUID> createdOrMoved = new HashSet<>();
        List<UUID> detached = new ArrayList<>();
        List<UUID> withNewTraitsOrAggregates = new ArrayList<>();
        new TreeMap<>(source.providers()).forEach((uuid, wanted) -> {
            Provider actual = targetProviders.get(uuid);
            boolean isMoved = actual != null && !Objects.equals(actual.parent(), wanted.parent());
            if (actual == null || isMoved || !actual.name().equals(wanted.name())) {
                createdOrMoved.add(uuid);
            }
            if (actual != null && isMoved && actual.parent() != null) {
                detached.add(uuid);
            }
            boolean isDescribed = actual == null
                    ? !wanted.traits().isEmpty() || !wanted.aggregates().isEmpty()
                    : !actual.traits().equals(wanted.traits()) || !actual.aggregates().equals(wanted.aggregates());
            if (isDescribed) {
                withNewTraitsOrAggregates.add(uuid);
            }
        });
        List<UUID> changed = new TreeMap<>(source.consumers()).entrySet().stream()
                .filter(each -> !each.getValue().equals(target.consumers().get(each.getKey())))
                .map(Map.Entry::getKey)
                .toList();
        Set<UUID> goneConsumers = onlyIn(target.consumers().keySet(), source.consumers().keySet());
        InventoryPlan inventories = InventoryPlan.of(source, target, changed, prune ? Set.of() : goneConsumers);
        return new Plan(
                missing(source.resourceClasses(), target.resourceClasses()),
                missing(source.traits(), target.traits()),
                prune ? List.copyOf(goneConsumers) : List.of(),
                detached,
                temporarilyRenamed(source, target, prune),
                source.levels(createdOrMoved),
                withNewTraitsOrAggregates,
                inventories.interim(),
                changed,
                inventories.finalInventories(),
                prune ? target.levels(goneProviders).reversed() : List.of(),
                prune ? missing(target.resourceClasses(), source.resourceClasses()) : List.of(),
                prune ? missing(target.traits(), source.traits()) : List.of());
    }

    /**
     * Returns what makes the migration impossible: a provider of the source has the name of a provider that only the
     * target has, or uses a standard trait or resource class that the target does not know. One line per obstacle;
     * empty if there is none.
     *
     * @param prune as for {@link #of}; if true, names are no obstacle, because providers that only the target has are
     *         renamed in time, and removed
     */
    public static List<String> obstacles(PlacementState source, PlacementState target, boolean prune) {
        List<String> obstacles = new ArrayList<>();
        Map<String, UUID> names = new HashMap<>();
        if (!prune) {
            onlyIn(target.providers().keySet(), source.providers().keySet())
                    .forEach(uuid -> names.put(Maps.require(target.providers(), uuid).name(), uuid));
        }
        new TreeMap<>(source.providers()).forEach((uuid, provider) -> {
            UUID holder = names.get(provider.name());
            if (holder != null) {
                obstacles.add("provider %s cannot be named %s: %s, which the source does not know, has that name"
                        .formatted(uuid, provider.name(), holder));
            }
            for (String trait : provider.traits()) {
                if (!PlacementState.isCustom(trait) && !target.traits().contains(trait)) {
                    obstacles.add("provider %s has the standard trait %s, which the target does not know"
                            .formatted(uuid, trait));
                }
            }
            for (String resourceClass : provider.inventories().keySet()) {
                if (!PlacementState.isCustom(resourceClass) && !target.resourceClasses().contains(resourceClass)) {
                    obstacles.add("provider %s has the standard resource class %s, which the target does not know"
                            .formatted(uuid, resourceClass));
                }
            }
        });
        return obstacles;
    }

    /** Returns the consumers that are written or removed. */
    public Set<UUID> allConsumers() {
        Set<UUID> all = new HashSet<>(consumers);
        all.addAll(goneConsumers);
        return all;
    }

    /** Returns the providers that are written or removed. */
    public Set<UUID> allProviders() {
        Set<UUID> all = new HashSet<>(withNewTraitsOrAggregates);
        createdOrMoved.forEach(all::addAll);
        goneProviders.forEach(all::addAll);
        all.addAll(interimInventories.keySet());
        all.addAll(finalInventories.keySet());
        return all;
    }

    /** Returns the number of names, consumers and providers that change, each counted once. */
    public int size() {
        return newResourceClasses.size() + newTraits.size() + goneResourceClasses.size() + goneTraits.size()
                + allConsumers().size() + allProviders().size();
    }

    @Override
    public String toString() {
        return ("%,d consumers and %,d providers to remove, %,d providers to create, name or place, %,d with other"
                + " traits or aggregates, %,d with other inventories, %,d of them changed after allocations are"
                + " written, %,d consumers to write, %,d names to add, %,d to remove").formatted(
                        goneConsumers.size(), count(goneProviders), count(createdOrMoved),
                        withNewTraitsOrAggregates.size(),
                        inventoryChangeCount(), finalInventories.size(), consumers.size(),
                        newResourceClasses.size() + newTraits.size(), goneResourceClasses.size() + goneTraits.size());
    }

    private int inventoryChangeCount() {
        Set<UUID> all = new HashSet<>(interimInventories.keySet());
        all.addAll(finalInventories.keySet());
        return all.size();
    }

    private static int count(List<List<UUID>> levels) {
        return levels.stream().mapToInt(List::size).sum();
    }

    /**
     * Returns the target's providers whose present name another provider has in the source. Without {@code prune},
     * leaves out providers that only the target has: their names are {@link #obstacles}.
     */
    private static List<UUID> temporarilyRenamed(PlacementState source, PlacementState target, boolean prune) {
        Map<String, UUID> holderByName = new HashMap<>();
        source.providers().forEach((uuid, provider) -> holderByName.put(provider.name(), uuid));
        return new TreeMap<>(target.providers()).entrySet().stream()
                .filter(entry -> prune || source.providers().containsKey(entry.getKey()))
                .filter(entry -> {
                    UUID newHolder = holderByName.get(entry.getValue().name());
                    return newHolder != null && !newHolder.equals(entry.getKey());
                })
                .map(Map.Entry::getKey)
                .toList();
    }

    /** Returns the custom names in {@code wanted} that {@code actual} lacks. */
    private static List<String> missing(Set<String> wanted, Set<String> actual) {
        return wanted.stream().filter(name -> PlacementState.isCustom(name) && !actual.contains(name)).toList();
    }

    private static Set<UUID> onlyIn(Set<UUID> uuids, Set<UUID> excluded) {
        Set<UUID> only = new HashSet<>(uuids);
        only.removeAll(excluded);
        return only;
    }
}
