/**
 * The registry in memory: all registered records, indexed for decisions. The entry point is
 * {@link io.berth.scheduler.host.registry.snapshot.RegistryFeed}, which returns a
 * {@link io.berth.scheduler.host.registry.snapshot.RegistrySnapshot} with all changes that were committed in Berth's
 * database before the call. A {@link io.berth.scheduler.host.registry.snapshot.RegistrySource} may replace Berth's
 * records of hosts by nova's. This package must not depend on {@code edit}, {@code instance} and {@code heartbeat},
 * which write records.
 */
package io.berth.scheduler.host.registry.snapshot;
