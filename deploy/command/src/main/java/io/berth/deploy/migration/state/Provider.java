package io.berth.deploy.migration.state;

import java.util.Collections;
import java.util.Set;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.UUID;

/**
 * A resource provider.
 *
 * @param parent null for a root
 * @param inventories by resource class
 */
public record Provider(String name, UUID parent, SortedMap<String, Inventory> inventories, SortedSet<String> traits,
        Set<UUID> aggregates) {
    public Provider {
        inventories = Collections.unmodifiableSortedMap(new TreeMap<>(inventories));
        traits = Collections.unmodifiableSortedSet(new TreeSet<>(traits));
        aggregates = Set.copyOf(aggregates);
    }
}
