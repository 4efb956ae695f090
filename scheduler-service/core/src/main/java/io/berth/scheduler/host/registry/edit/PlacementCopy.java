package io.berth.scheduler.host.registry.edit;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.smallrye.mutiny.Uni;
import jakarta.annotation.Nullable;
import java.time.Duration;
import java.util.Set;
import java.util.UUID;

/** The placement sync, as far as edits of the registry wait for it; {@code placementsync} implements it. */
public interface PlacementCopy {
    /**
     * The changes for which an edit waits: those of the hosts, and memberships in the aggregates.
     *
     * @param hosts names of hosts
     * @param aggregates uuids of host aggregates
     */
    record Scope(Set<String> hosts, Set<UUID> aggregates) {}

    /**
     * Waits until placement has the changes, or the first attempt to write them failed, or the time is over. Returns
     * null if placement has them; otherwise the pending changes, in the form of {@code GET /v1/placement_sync}.
     *
     * @param wait maximum time; null for {@code berth.placement-sync.wait-max}, and not at all on a replica without
     *     placement sync
     */
    Uni<ObjectNode> pending(Scope scope, @Nullable Duration wait);
}
