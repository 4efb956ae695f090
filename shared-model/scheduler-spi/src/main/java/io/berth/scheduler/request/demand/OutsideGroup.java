package io.berth.scheduler.request.demand;

import jakarta.annotation.Nullable;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;

/**
 * A request group of a port, a device profile or a PCI alias, in addition to the groups of the flavor's extra specs
 * {@code resources} and {@code trait}.
 *
 * @param requesterId the suffix of the group in the query; if it is null or empty, the request is refused
 * @param resources amounts by resource class
 * @param aggregates aggregate uuids; a provider must be in at least one aggregate of each entry
 * @param inTree uuid of any provider of the tree that must be used; null for any tree
 */
public record OutsideGroup(
        @Nullable String requesterId,
        Map<String, Long> resources,
        Set<String> requiredTraits,
        Set<String> forbiddenTraits,
        List<Set<String>> aggregates,
        @Nullable String inTree) {
    public OutsideGroup {
        Objects.requireNonNull(resources, "resources");
        Objects.requireNonNull(requiredTraits, "requiredTraits");
        Objects.requireNonNull(forbiddenTraits, "forbiddenTraits");
        Objects.requireNonNull(aggregates, "aggregates");
    }

    /** Returns the group with one more required trait. */
    public OutsideGroup withRequiredTrait(String trait) {
        Set<String> traits = new TreeSet<>(requiredTraits);
        traits.add(trait);
        return new OutsideGroup(requesterId, resources, traits, forbiddenTraits, aggregates, inTree);
    }

    /** Returns whether the group demands nothing, regardless of {@code inTree}. */
    public boolean isEmpty() {
        return resources.isEmpty() && requiredTraits.isEmpty() && forbiddenTraits.isEmpty() && aggregates.isEmpty();
    }
}
