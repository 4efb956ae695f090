package io.berth.scheduler.host.registry.edit;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.smallrye.mutiny.Uni;
import java.util.Collection;
import java.util.UUID;

/** The copy of registered records in placement. */
public interface PlacementCopy {
    /**
     * Waits, for a bounded time, until placement has the memberships of host aggregates that were just written. Null
     * if it does, or if this replica does not synchronize; else the pending changes, in the form of
     * {@code GET /v1/mirror}.
     */
    Uni<ObjectNode> pending(Collection<UUID> aggregates);
}
