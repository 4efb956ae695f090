package io.berth.scheduler.host.registry.edit;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.smallrye.mutiny.Uni;
import java.util.Collection;
import java.util.UUID;

/** The placement sync, as far as edits of host aggregates wait for it; {@code placementsync} implements it. */
public interface PlacementCopy {
    /**
     * Waits, for a bounded time, until placement has the changed memberships of host aggregates. Returns null if
     * placement has them, or if this replica has no placement sync; otherwise the pending changes, in the form of
     * {@code GET /v1/placement_sync}.
     *
     * @param aggregates uuids of the aggregates that were just written
     */
    Uni<ObjectNode> pending(Collection<UUID> aggregates);
}
