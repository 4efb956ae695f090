package io.berth.deploy.migration.plan;

import io.berth.deploy.migration.state.Inventory;
import io.berth.deploy.migration.state.PlacementState;
import io.berth.deploy.migration.state.Provider;
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
 * The writes that turn one state into another, in the order of the members. Pure. Empty when both are the same.
 *
 * @param newResourceClasses custom ones
 * @param newTraits custom ones
 * @param goneConsumers only in the target; empty unless they are to be removed
 * @param detached providers whose parent changes: temporary roots, since moves one by one could make a loop
 * @param renamedForAWhile providers whose name another one gets
 * @param placed providers that are new or change name or parent; a parent's level comes before its children's
 * @param described providers whose traits or aggregates change
 * @param interimInventories all inventories of these providers while allocations are written ({@link InventoryPlan})
 * @param consumers whose allocations, project, user or type change
 * @param finalInventories all inventories of these providers afterwards
 * @param goneProviders children before parents; empty unless they are to be removed
 * @param goneResourceClasses custom ones; empty unless they are to be removed
 * @param goneTraits custom ones; empty unless they are to be removed
 */
public record Plan(
        List<String> newResourceClasses,
        List<String> newTraits,
        List<UUID> goneConsumers,
        List<UUID> detached,
        List<UUID> renamedForAWhile,
        List<List<UUID>> placed,
        List<UUID> described,
        Map<UUID, SortedMap<String, Inventory>> interimInventories,
        List<UUID> consumers,
        Map<UUID, SortedMap<String, Inventory>> finalInventories,
        List<List<UUID>> goneProviders,
        List<String> goneResourceClasses,
        List<String> goneTraits) {
    /** @param prune whether to remove what only the target has */
    public static Plan of(PlacementState source, PlacementState target, boolean prune) {
        Map<UUID, Provider> before = target.providers();
        Set<UUID> gone = onlyIn(before.keySet(), source.providers().keySet());
        Set<UUID> placed = new HashSet<>();
        List<UUID> detached = new ArrayList<>();
        List<UUID> described = new ArrayList<>();
        new TreeMap<>(source.providers()).forEach((uuid, wanted) -> {
            Provider actual = before.get(uuid);
            boolean isMoved = actual != null && !Objects.equals(actual.parent(), wanted.parent());
            if (actual == null || isMoved || !actual.name().equals(wanted.name())) {
                placed.add(uuid);
            }
            if (isMoved && actual.parent() != null) {
                detached.add(uuid);
            }
            boolean isDescribed = actual == null
                    ? !wanted.traits().isEmpty() || !wanted.aggregates().isEmpty()
                    : !actual.traits().equals(wanted.traits()) || !actual.aggregates().equals(wanted.aggregates());
            if (isDescribed) {
                described.add(uuid);
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
                renamedForAWhile(source, target, prune),
                source.levels(placed),
                described,
                inventories.interim(),
                changed,
                inventories.last(),
                prune ? target.levels(gone).reversed() : List.of(),
                prune ? missing(target.resourceClasses(), source.resourceClasses()) : List.of(),
                prune ? missing(target.traits(), source.traits()) : List.of());
    }

    /**
     * Returns why this cannot be done, a line each; empty when it can.
     *
     * @param prune as for {@link #of}
     */
    public static List<String> obstacles(PlacementState source, PlacementState target, boolean prune) {
        List<String> obstacles = new ArrayList<>();
        Map<String, UUID> names = new HashMap<>();
        if (!prune) {
            target.providers().forEach((uuid, provider) -> names.put(provider.name(), uuid));
            source.providers().keySet().forEach(uuid -> names.values().remove(uuid));
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

    /** Returns the providers that change, whatever of them. */
    public Set<UUID> allProviders() {
        Set<UUID> all = new HashSet<>(described);
        placed.forEach(all::addAll);
        goneProviders.forEach(all::addAll);
        all.addAll(interimInventories.keySet());
        all.addAll(finalInventories.keySet());
        return all;
    }

    /** Returns how many things change, each counted once, however many requests it takes. */
    public int size() {
        return newResourceClasses.size() + newTraits.size() + goneResourceClasses.size() + goneTraits.size()
                + allConsumers().size() + allProviders().size();
    }

    @Override
    public String toString() {
        return ("%,d consumers and %,d providers to remove, %,d providers to create, name or place, %,d with other"
                + " traits or aggregates, %,d with other inventories, %,d of them widened while allocations are"
                + " written, %,d consumers to write, %,d names to add, %,d to remove").formatted(
                        goneConsumers.size(), count(goneProviders), count(placed), described.size(),
                        inventoriesChanged(), finalInventories.size(), consumers.size(),
                        newResourceClasses.size() + newTraits.size(), goneResourceClasses.size() + goneTraits.size());
    }

    private int inventoriesChanged() {
        Set<UUID> all = new HashSet<>(interimInventories.keySet());
        all.addAll(finalInventories.keySet());
        return all.size();
    }

    private static int count(List<List<UUID>> levels) {
        return levels.stream().mapToInt(List::size).sum();
    }

    /** Returns the target's providers whose present name another provider of the source gets. */
    private static List<UUID> renamedForAWhile(PlacementState source, PlacementState target, boolean prune) {
        Map<String, UUID> wanted = new HashMap<>();
        source.providers().forEach((uuid, provider) -> wanted.put(provider.name(), uuid));
        return new TreeMap<>(target.providers()).entrySet().stream()
                .filter(each -> prune || source.providers().containsKey(each.getKey()))
                .filter(each -> {
                    UUID heir = wanted.get(each.getValue().name());
                    return heir != null && !heir.equals(each.getKey());
                })
                .map(Map.Entry::getKey)
                .toList();
    }

    private static List<String> missing(Set<String> wanted, Set<String> actual) {
        return wanted.stream().filter(name -> PlacementState.isCustom(name) && !actual.contains(name)).toList();
    }

    private static Set<UUID> onlyIn(Set<UUID> these, Set<UUID> those) {
        Set<UUID> only = new HashSet<>(these);
        only.removeAll(those);
        return only;
    }
}
