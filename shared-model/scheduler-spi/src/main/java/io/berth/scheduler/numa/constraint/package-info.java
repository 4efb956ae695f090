/**
 * Which topology do a flavor and an image request? {@link io.berth.scheduler.numa.constraint.NumaConstraints} is the
 * entry point; {@link io.berth.scheduler.numa.constraint.CpuPolicies} reads only their CPU policies, for the query to
 * placement.
 */
package io.berth.scheduler.numa.constraint;
