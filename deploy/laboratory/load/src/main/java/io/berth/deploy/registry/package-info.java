/**
 * Load on a scheduler with a large registry, for {@code deploy/bench-registry}: decisions at a fixed rate, and
 * heartbeats of compute services.
 *
 * <p>Entry point: {@link io.berth.deploy.registry.RegistryLoadMain}.
 */
package io.berth.deploy.registry;
