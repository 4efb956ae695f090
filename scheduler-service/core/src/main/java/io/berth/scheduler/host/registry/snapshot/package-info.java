/**
 * The registry in memory. {@link io.berth.scheduler.host.registry.snapshot.RegistryFeed} proves before each decision
 * that the {@link io.berth.scheduler.host.registry.snapshot.RegistrySnapshot} is fresh. This package must not know
 * what changes the registry.
 */
package io.berth.scheduler.host.registry.snapshot;
