package io.berth.scheduler.claim;

import io.berth.scheduler.placement.AllocationsAnswer;
import io.berth.scheduler.placement.Claim;
import io.berth.scheduler.placement.candidate.AllocationRequest;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;

/** Who claims: an instance, or a migration, in somebody's name. */
public record Consumer(UUID uuid, String projectId, String userId, String requestId) {
    public Consumer {
        Objects.requireNonNull(uuid, "uuid");
        Objects.requireNonNull(projectId, "projectId");
        Objects.requireNonNull(userId, "userId");
        Objects.requireNonNull(requestId, "requestId");
    }

    /** A claim of all that the consumer is to hold, refused unless it still holds what was read. */
    Claim claim(AllocationsAnswer.Held held, AllocationRequest request) {
        return new Claim(uuid, request, held.consumerGeneration(), projectId, userId);
    }

    /**
     * What is held together with what is asked for. A provider in both keeps what is held there.
     * <br>Source: nova {@code scheduler/client/report.py} (claim_resources).
     */
    public static AllocationRequest beside(AllocationsAnswer.Held held, AllocationRequest request) {
        if (held.allocations().isEmpty()) {
            return request;
        }
        Map<String, Map<String, Long>> both = new LinkedHashMap<>(held.allocations());
        request.allocations().forEach(both::putIfAbsent);
        return new AllocationRequest(both, request.mappings());
    }
}
