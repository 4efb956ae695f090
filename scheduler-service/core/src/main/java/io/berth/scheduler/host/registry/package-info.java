/**
 * The registered records of hosts beyond placement's, and how they are read: compute nodes with their reports,
 * services, host aggregates, cells, server groups, instances. {@link io.berth.scheduler.host.registry.Collection}
 * lists them all. {@code edit} changes them in PostgreSQL, as {@code instance} and {@code heartbeat} do for many at
 * once; {@code snapshot} keeps them in memory for decisions. This package must not know placement, filters or
 * weighers, nor those four.
 */
package io.berth.scheduler.host.registry;
