/**
 * Synchronizes hosts from the registry to placement: the disabled state of a service (a trait), host aggregates, and
 * the inventories and traits that compute nodes report. Triggers note which hosts changed, in the transaction that
 * changes them ({@code db/scheduler/V6__mirror.sql}); {@link io.berth.scheduler.mirror.MirrorRuns} processes the
 * notes, one host at a time ({@link io.berth.scheduler.mirror.HostMirror}), until placement has what the registry
 * wants. Only changes of host aggregates wait for that, for a limited time
 * ({@link io.berth.scheduler.mirror.MirroredAggregates}); {@link io.berth.scheduler.mirror.MirrorEndpoint} lists what
 * is pending. This package must not know filters, weighers or decisions.
 */
package io.berth.scheduler.mirror;
