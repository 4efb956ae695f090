/**
 * Load on a scheduler with a large registry: decisions at a rate, and compute services that beat. For
 * {@code deploy/bench-registry}.
 *
 * <p>Entry point: {@link io.berth.deploy.registry.RegistryLoadMain}.
 */
package io.berth.deploy.registry;
