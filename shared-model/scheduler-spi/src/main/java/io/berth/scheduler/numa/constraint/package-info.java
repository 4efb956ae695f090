/**
 * Derives the NUMA topology that a flavor and an image request. {@link
 * io.berth.scheduler.numa.constraint.NumaConstraints} is the entry point. {@link
 * io.berth.scheduler.numa.constraint.CpuPolicies} is public because the query to placement needs only the CPU policies.
 * Pure.
 */
package io.berth.scheduler.numa.constraint;
