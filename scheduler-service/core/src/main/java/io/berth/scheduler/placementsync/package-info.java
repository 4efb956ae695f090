/**
 * The placement sync: writes the registered state of hosts to placement, namely the disabled state of a service (a
 * trait), memberships in host aggregates, and the inventories and traits that compute nodes report. Triggers
 * ({@code V1__scheduler.sql}) store in {@code sync_outbox} which hosts changed, in the transaction of the change.
 * {@link io.berth.scheduler.placementsync.SyncRuns} polls this table, and
 * {@link io.berth.scheduler.placementsync.HostSync} writes one host. Responses to changes of host aggregates, and to
 * other edits on request, wait for placement for a limited time
 * ({@link io.berth.scheduler.placementsync.SyncedEdits}).
 * {@link io.berth.scheduler.placementsync.SyncEndpoint} lists the pending hosts. This package must not depend on
 * filters, weighers or decisions.
 */
package io.berth.scheduler.placementsync;
