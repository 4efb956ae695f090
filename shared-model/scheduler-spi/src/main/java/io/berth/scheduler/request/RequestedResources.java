package io.berth.scheduler.request;

import jakarta.annotation.Nullable;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * A request group that did not come from the flavor: of a port, a device profile or a PCI request.
 *
 * @param requesterId becomes the suffix of the group
 * @param resources amount by resource class
 * @param aggregates each entry is a list of alternatives; entries are required together
 * @param inTree uuid of a provider whose tree must serve the group
 * @param providerUuids providers of the claimed candidate that serve the group; empty before the claim
 */
public record RequestedResources(
        @Nullable String requesterId,
        Map<String, Long> resources,
        Set<String> requiredTraits,
        Set<String> forbiddenTraits,
        List<List<String>> aggregates,
        @Nullable String inTree,
        List<String> providerUuids) {
    public RequestedResources {
        resources = Map.copyOf(resources);
        requiredTraits = Set.copyOf(requiredTraits);
        forbiddenTraits = Set.copyOf(forbiddenTraits);
        aggregates = List.copyOf(aggregates);
        providerUuids = List.copyOf(providerUuids);
    }

    public RequestedResources withProviderUuids(List<String> uuids) {
        return new RequestedResources(
                requesterId, resources, requiredTraits, forbiddenTraits, aggregates, inTree, uuids);
    }
}
