package io.berth.deploy.migration.state;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedSet;
import java.util.UUID;

/**
 * The whole state of a Placement service, without generations. Takes some 300 bytes of memory for each provider and for
 * each consumer.
 *
 * @param resourceClasses names of all resource classes, standard and custom
 * @param traits names of all traits, standard and custom
 */
public record PlacementState(SortedSet<String> resourceClasses, SortedSet<String> traits, Map<UUID, Provider> providers,
        Map<UUID, Consumer> consumers) {
    private static final String CUSTOM_PREFIX = "CUSTOM_";

    /** Returns whether a trait or resource class is custom, rather than one of os-traits or os-resource-classes. */
    public static boolean isCustom(String name) {
        return name.startsWith(CUSTOM_PREFIX);
    }

    /**
     * Groups providers by their depth in the tree, roots first, so that a parent precedes its children.
     *
     * @param selected uuids of the providers to group; a parent need not be selected
     */
    public List<List<UUID>> levels(Set<UUID> selected) {
        Map<UUID, Integer> depths = new HashMap<>();
        List<List<UUID>> levels = new ArrayList<>();
        for (UUID uuid : selected) {
            int depth = depth(uuid, depths);
            while (levels.size() <= depth) {
                levels.add(new ArrayList<>());
            }
            levels.get(depth).add(uuid);
        }
        levels.removeIf(List::isEmpty);
        return levels;
    }

    /** Returns the number of ancestors of the provider. Adds the result to {@code depths}, and uses those in it. */
    private int depth(UUID uuid, Map<UUID, Integer> depths) {
        Set<UUID> path = new HashSet<>();
        UUID ancestor = uuid;
        int steps = 0;
        while (true) {
            Provider provider = providers.get(ancestor);
            UUID parent = provider == null ? null : provider.parent();
            // A state that changed while it was read can contain a loop of parents.
            if (parent == null || !path.add(ancestor)) {
                break;
            }
            ancestor = parent;
            steps++;
            if (depths.containsKey(ancestor)) {
                steps += depths.get(ancestor);
                break;
            }
        }
        depths.put(uuid, steps);
        return steps;
    }

    /** Returns the number of allocation records: one per consumer, provider and resource class. */
    public long allocationCount() {
        long[] count = {0};
        consumers.values().forEach(consumer -> consumer.forEachAmount((_, _) -> count[0]++));
        return count[0];
    }

    @Override
    public String toString() {
        return "%,d providers, %,d consumers with %,d allocations, %,d custom resource classes, %,d custom traits"
                .formatted(providers.size(), consumers.size(), allocationCount(),
                        resourceClasses.stream().filter(PlacementState::isCustom).count(),
                        traits.stream().filter(PlacementState::isCustom).count());
    }
}
