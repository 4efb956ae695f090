package io.berth.scheduler.request.demand;

import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;

/**
 * A request group that does not come from the flavor: a port's, a device profile's, a PCI alias's.
 *
 * @param requesterId becomes the group's suffix; null is an error of the request
 * @param aggregates entries are AND-ed, the members of one OR-ed
 * @param inTree a provider uuid, or null
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
