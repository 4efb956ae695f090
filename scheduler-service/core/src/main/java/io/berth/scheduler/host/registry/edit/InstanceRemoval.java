package io.berth.scheduler.host.registry.edit;

import io.smallrye.mutiny.Uni;
import jakarta.annotation.Nullable;
import java.util.UUID;

/** The end of an instance: of its registration and of what it holds. */
public interface InstanceRemoval {
    /**
     * False if there was none. Fails with ApiFault where it cannot be done now; then the same call does it later.
     *
     * @param ifMatch what the registration must be (else ApiFault, 412); null: anything
     */
    Uni<Boolean> remove(UUID instance, @Nullable IfMatch ifMatch, String requestId);
}
