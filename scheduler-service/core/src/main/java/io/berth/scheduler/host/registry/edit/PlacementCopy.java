package io.berth.scheduler.host.registry.edit;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.smallrye.mutiny.Uni;
import java.util.Collection;
import java.util.UUID;

/** Placement's copy of what is registered here. */
public interface PlacementCopy {
    /**
     * Waits, for a bounded time, until placement holds the memberships of host aggregates that were just written. Null
     * when it does, or when that is not this replica's concern; else what is pending, as {@code GET /v1/mirror} tells.
     */
    Uni<ObjectNode> pending(Collection<UUID> aggregates);
}
