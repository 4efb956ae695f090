package io.berth.scheduler.claim;

import io.berth.scheduler.placement.AllocationRequest;
import io.berth.scheduler.placement.Claim;
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

    /** A claim by a consumer that must not hold anything yet. */
    Claim claimAnew(AllocationRequest request) {
        return new Claim(uuid, request, null, projectId, userId);
    }
}
