package io.berth.scheduler.host.registry.edit;

import io.smallrye.mutiny.Uni;
import jakarta.annotation.Nullable;
import java.util.UUID;

/** Removes an instance: its registration and its allocations. */
public interface InstanceRemoval {
    /**
     * Returns false if it did not exist. Fails with ApiFault if it cannot be removed now; the call can be repeated.
     *
     * @param ifMatch condition on the registration (else ApiFault, 412); null: none
     */
    Uni<Boolean> remove(UUID instance, @Nullable IfMatch ifMatch, String requestId);
}
