package io.berth.scheduler.request.demand;

import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;

/**
 * A request group that does not come from a flavor, but from a port, a device profile or a PCI alias.
 *
 * @param requesterId the suffix of the group in the query; a request with null is refused
 * @param aggregates aggregate uuids; a provider must be in at least one aggregate of each entry
 * @param inTree uuid of a provider in the tree to use; null stands for any tree
 */
public record OutsideGroup(
        String requesterId,
        Map<String, Long> resources,
        Set<String> requiredTraits,
        Set<String> forbiddenTraits,
        List<Set<String>> aggregates,
        String inTree) {
    public OutsideGroup {
        Objects.requireNonNull(resources, "resources");
        Objects.requireNonNull(requiredTraits, "requiredTraits");
        Objects.requireNonNull(forbiddenTraits, "forbiddenTraits");
        Objects.requireNonNull(aggregates, "aggregates");
    }

    public OutsideGroup withRequiredTrait(String trait) {
        Set<String> traits = new TreeSet<>(requiredTraits);
        traits.add(trait);
        return new OutsideGroup(requesterId, resources, traits, forbiddenTraits, aggregates, inTree);
    }

    public boolean isEmpty() {
        return resources.isEmpty() && requiredTraits.isEmpty() && forbiddenTraits.isEmpty() && aggregates.isEmpty();
    }
}
