package io.berth.scheduler.host.registry.edit;

import io.smallrye.mutiny.Uni;
import jakarta.annotation.Nullable;
import java.util.UUID;

/** Deletes an instance's registration and releases its allocations; {@code instancecleanup} implements it. */
public interface InstanceRemoval {
    /**
     * Deletes the instance. Returns false if there was nothing to delete: neither a registration, nor allocations, nor
     * the last host of an earlier registration. Returns true, too, if it is unknown whether there were allocations,
     * because placement did not respond to their release. Fails with ApiFault if the instance cannot be removed now;
     * the call may be repeated. Fails with ApiFault (412) if the registration does not match {@code ifMatch}.
     *
     * @param ifMatch condition on the registration, which a missing registration satisfies; null for none
     * @param requestId id of the HTTP request, which is sent to placement
     */
    Uni<Boolean> remove(UUID instance, @Nullable IfMatch ifMatch, String requestId);
}
