package io.berth.scheduler.placementsync;

import java.time.OffsetDateTime;
import java.util.Set;
import java.util.UUID;

/**
 * A host with changes in the registry that placement does not have yet. This replica has a lease on the host: until the
 * lease ends, no other replica writes the changes.
 *
 * @param revision revision of the row in {@code sync_outbox} when it was leased; a later change of the registry
 *     increments the stored revision
 * @param leasedUntil end of the lease by the database's clock, which also identifies the lease
 * @param attempts number of attempts since the registry last changed, including this one
 * @param status whether the disabled state of the service may differ in placement
 * @param aggregates aggregates whose membership may differ
 * @param computeNodes compute nodes whose reported inventories and traits may differ
 * @param isIndeterminate whether a write of an earlier attempt may still commit, because placement did not respond to
 *     it, or because the attempt's lease expired before the attempt ended
 */
record PendingHost(
        String host,
        long revision,
        OffsetDateTime leasedUntil,
        int attempts,
        boolean status,
        Set<UUID> aggregates,
        Set<UUID> computeNodes,
        boolean isIndeterminate) {}
