/**
 * The registration of instances by other routes than those of {@code edit}: the list that a compute node sends
 * ({@link io.berth.scheduler.host.registry.instance.NodeInstancesEndpoint}), the instances that a request placed
 * ({@link io.berth.scheduler.host.registry.instance.PlacedInstanceStore}, used by {@code selection} and {@code move}),
 * and the lookup by name. {@link io.berth.scheduler.host.registry.instance.InstanceSql} has the SQL by which all
 * packages write instances, {@link io.berth.scheduler.host.registry.instance.GroupMembershipSql} the SQL by which
 * instances join server groups. This package must not depend on {@code snapshot}, the registry in memory.
 */
package io.berth.scheduler.host.registry.instance;
