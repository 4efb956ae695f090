package io.berth.scheduler.host.registry.edit;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.smallrye.mutiny.Uni;
import jakarta.annotation.Nullable;
import java.time.Duration;
import java.util.Set;
import java.util.UUID;

/**
 * Lets an edit of the registry wait for the placement sync, the background job that writes registered hosts to
 * placement. The package {@code placementsync} implements it.
 */
public interface PlacementCopy {
    /**
     * The changes for which an edit waits: changes of the hosts, and of memberships in the aggregates.
     *
     * @param hosts names of hosts
     * @param aggregates uuids of host aggregates
     */
    record Scope(Set<String> hosts, Set<UUID> aggregates) {}

    /**
     * Waits until placement has the changes, or the first attempt to write the changes has failed, or the time is over.
     * Does not wait if too many other edits do. Returns null if placement has the changes; otherwise the pending
     * changes, in the form of {@code GET /v1/placement_sync}.
     *
     * @param wait maximum time; null: {@code berth.placement-sync.wait-max}, but on a replica without placement sync no
     *     wait, and null as the result
     */
    Uni<ObjectNode> awaitPlacement(Scope scope, @Nullable Duration wait);
}
