package io.berth.scheduler.mirror;

import java.time.OffsetDateTime;
import java.util.Set;
import java.util.UUID;

/**
 * A host to look at, leased to this replica.
 *
 * @param revision of the note; another one later means that the registry changed meanwhile
 * @param leasedUntil tells this lease from a later one, by the database's clock
 * @param attempts this one included, since the registry last changed
 * @param status whether to look at the service's state
 * @param aggregates memberships to look at
 * @param computeNodes nodes whose report to look at
 * @param inDoubt whether what an earlier attempt wrote got no answer, so that it may still land
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
