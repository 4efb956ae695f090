package io.berth.deploy.migration.state;

import io.berth.model.text.UuidForm;
import jakarta.annotation.Nullable;
import java.util.Collections;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.UUID;

/**
 * A resource provider. Its uuid is the key in {@link PlacementState#providers}.
 *
 * @param parent the parent's uuid; null for a root
 * @param inventories by name of the resource class
 * @param aggregates uuids in the spelling of the client that wrote them, which may lack dashes; one spelling per uuid
 */
public record Provider(
        String name, @Nullable UUID parent, SortedMap<String, Inventory> inventories, SortedSet<String> traits,
        Set<String> aggregates) {
    public Provider {
        inventories = Collections.unmodifiableSortedMap(new TreeMap<>(inventories));
        traits = Collections.unmodifiableSortedSet(new TreeSet<>(traits));
        Map<String, String> spellings = new TreeMap<>();
        aggregates.stream().sorted().forEach(
                text -> spellings.putIfAbsent(UuidForm.findDigits(text).map(UUID::toString).orElse(text), text));
        aggregates = Set.copyOf(spellings.values());
    }
}
