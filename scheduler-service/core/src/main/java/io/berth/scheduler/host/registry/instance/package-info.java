/**
 * Writes many instances at once: all those of a compute node
 * ({@link io.berth.scheduler.host.registry.instance.NodeInstancesEndpoint}), and those that a request placed. This
 * package must not know the registry in memory.
 */
package io.berth.scheduler.host.registry.instance;
