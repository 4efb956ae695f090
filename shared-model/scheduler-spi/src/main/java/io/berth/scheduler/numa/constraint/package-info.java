/**
 * Derives the topology that a flavor and an image request. {@link io.berth.scheduler.numa.constraint.NumaConstraints}
 * is the entry point; {@link io.berth.scheduler.numa.constraint.CpuPolicies} has only the CPU policies, for the query
 * to placement.
 */
package io.berth.scheduler.numa.constraint;
