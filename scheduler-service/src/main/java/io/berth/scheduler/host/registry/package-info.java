/**
 * What is registered of hosts beyond what placement knows: compute nodes with their reports, services, host
 * aggregates, cells, server groups, instances. {@link io.berth.scheduler.host.registry.RegistryEndpoint} edits
 * them in PostgreSQL; {@link io.berth.scheduler.host.registry.RegistryFeed} keeps them in memory for decisions and
 * proves before each that the picture is fresh. Must not know placement, filters or weighers.
 */
package io.berth.scheduler.host.registry;
