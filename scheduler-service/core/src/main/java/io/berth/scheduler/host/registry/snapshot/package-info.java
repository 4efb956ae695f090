/**
 * The registry in memory. {@link io.berth.scheduler.host.registry.snapshot.RegistryFeed} proves before each decision that
 * the {@link io.berth.scheduler.host.registry.snapshot.RegistrySnapshot} is fresh. Must not know who changes the registry.
 */
package io.berth.scheduler.host.registry.snapshot;
