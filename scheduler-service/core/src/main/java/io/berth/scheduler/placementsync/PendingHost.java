package io.berth.scheduler.placementsync;

import java.time.OffsetDateTime;
import java.util.Set;
import java.util.UUID;

/**
 * A host to synchronize, leased to this replica.
 *
 * @param revision of the note when it was leased; the stored one differs if the registry changed since
 * @param leasedUntil identifies this lease, by the database's clock
 * @param attempts number including this one, since the registry last changed
 * @param status whether to check the service's state
 * @param aggregates memberships to check
 * @param computeNodes nodes whose report to check
 * @param inDoubt whether an earlier write had no response, so that it may still commit
 */
record PendingHost(
        String host,
        long revision,
        OffsetDateTime leasedUntil,
        int attempts,
        boolean status,
        Set<UUID> aggregates,
        Set<UUID> computeNodes,
        boolean inDoubt) {}
