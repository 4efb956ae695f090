package io.berth.scheduler.host;

import java.util.List;
import java.util.Map;

/**
 * One allocation request that placement offers for a host.
 *
 * @param allocations provider uuid to resource class to amount
 * @param mappings request group suffix to the uuids of the providers that serve it
 */
public record AllocationCandidate(Map<String, Map<String, Long>> allocations, Map<String, List<String>> mappings) {
    /** The candidate of hosts that are compared without a query to placement. */
    public static final AllocationCandidate NONE = new AllocationCandidate(Map.of(), Map.of());
}
