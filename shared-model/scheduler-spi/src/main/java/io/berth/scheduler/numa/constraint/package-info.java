/**
 * Which topology do a flavor and an image ask for? {@link io.berth.scheduler.numa.constraint.NumaConstraints} is the entry
 * point; their CPU policies alone, for those who build the query to placement, are
 * {@link io.berth.scheduler.numa.constraint.CpuPolicies}.
 */
package io.berth.scheduler.numa.constraint;
