package io.berth.scheduler.host;

import java.util.List;
import java.util.Map;

/**
 * An allocation candidate of placement on one host.
 *
 * @param allocations amounts by the provider's uuid, then by resource class
 * @param mappings uuids of the providers that satisfy a request group, by the group's suffix; the suffix of the
 *         unnumbered group is empty
 */
public record AllocationCandidate(Map<String, Map<String, Long>> allocations, Map<String, List<String>> mappings) {
    /** A candidate without allocations, for a host that is evaluated without placement's candidates. */
    public static final AllocationCandidate NONE = new AllocationCandidate(Map.of(), Map.of());
}
