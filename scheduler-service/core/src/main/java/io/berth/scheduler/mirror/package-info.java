/**
 * Brings to placement what the registry knows of hosts: that a service is disabled (a trait), host aggregates, and the
 * inventories and traits compute nodes report. Triggers note which hosts changed, in the transaction that changes them
 * ({@code db/scheduler/V6__mirror.sql}); {@link io.berth.scheduler.mirror.MirrorRuns} works the notes off, one host
 * at a time ({@link io.berth.scheduler.mirror.HostMirror}), until placement holds what the registry wants. Changes of host
 * aggregates alone wait for that, for a while ({@link io.berth.scheduler.mirror.MirroredAggregates});
 * {@link io.berth.scheduler.mirror.MirrorEndpoint} shows what is still to be done. Must not know filters, weighers or
 * decisions.
 */
package io.berth.scheduler.mirror;
