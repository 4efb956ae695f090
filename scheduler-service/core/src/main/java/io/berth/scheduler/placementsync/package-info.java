/**
 * Synchronizes hosts from the registry to placement: the disabled state of a service (a trait), host aggregates, and
 * the inventories and traits that compute nodes report. Triggers note which hosts changed, in the transaction that
 * changes them ({@code V1__scheduler.sql}); {@link io.berth.scheduler.placementsync.SyncRuns} processes the
 * notes, one host at a time ({@link io.berth.scheduler.placementsync.HostSync}), until placement has what the registry
 * wants. Only changes of host aggregates wait for that, for a limited time
 * ({@link io.berth.scheduler.placementsync.SyncedAggregates}); {@link io.berth.scheduler.placementsync.SyncEndpoint}
 * lists what is pending. This package must not know filters, weighers or decisions.
 */
package io.berth.scheduler.placementsync;
