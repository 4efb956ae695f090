/**
 * Writes registrations of instances in other ways than the package {@code edit}: from the list that a compute node
 * sends ({@link io.berth.scheduler.host.registry.instance.NodeInstancesEndpoint}), and for the instances that a request
 * placed ({@link io.berth.scheduler.host.registry.instance.PlacedInstanceStore}, used by {@code selection} and {@code
 * move}). Also finds instances by name. This package must not depend on {@code snapshot}, the registry in memory.
 */
package io.berth.scheduler.host.registry.instance;
