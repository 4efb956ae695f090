package io.berth.scheduler.host;

import java.util.List;
import java.util.Map;

/**
 * One allocation request that placement offers for a host.
 *
 * @param allocations amounts by provider uuid and resource class
 * @param mappings uuids of the providers that serve a request group, by the group's suffix
 */
public record AllocationCandidate(Map<String, Map<String, Long>> allocations, Map<String, List<String>> mappings) {
    /** The candidate of a host that is evaluated without a query to placement. */
    public static final AllocationCandidate NONE = new AllocationCandidate(Map.of(), Map.of());
}
