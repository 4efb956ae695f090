package io.berth.scheduler.claim;

import io.berth.scheduler.placement.AllocationsResult;
import io.berth.scheduler.placement.Claim;
import io.berth.scheduler.placement.candidate.AllocationRequest;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;

/**
 * The consumer of a claim: an instance, with its project and user.
 *
 * @param requestId id of the request that claims, for logs and calls of placement
 */
public record Consumer(UUID uuid, String projectId, String userId, String requestId) {
    public Consumer {
        Objects.requireNonNull(uuid, "uuid");
        Objects.requireNonNull(projectId, "projectId");
        Objects.requireNonNull(userId, "userId");
        Objects.requireNonNull(requestId, "requestId");
    }

    /**
     * Makes a claim of all allocations that the consumer is to hold. Placement refuses the claim if the consumer's
     * generation is not that of {@code held}.
     */
    Claim claim(AllocationsResult.Allocations held, AllocationRequest request) {
        return new Claim(uuid, request, held.consumerGeneration(), projectId, userId);
    }

    /**
     * Merges held and requested allocations. A provider that is in both keeps its held amounts; the amounts are not
     * added.
     * <br>Source: nova {@code scheduler/client/report.py} (claim_resources).
     */
    public static AllocationRequest mergeHeld(AllocationsResult.Allocations held, AllocationRequest request) {
        if (held.allocations().isEmpty()) {
            return request;
        }
        Map<String, Map<String, Long>> both = new LinkedHashMap<>(held.allocations());
        request.allocations().forEach(both::putIfAbsent);
        return new AllocationRequest(both, request.mappings());
    }
}
