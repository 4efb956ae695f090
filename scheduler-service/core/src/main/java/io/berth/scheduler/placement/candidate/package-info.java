/**
 * Allocation candidates in memory, as immutable values:
 * {@link io.berth.scheduler.placement.candidate.AllocationCandidates} is the response to a query, made of provider
 * trees that most responses share. {@code placement.feed} and {@code placement.http} make them; search, selection and
 * claims read them. This package must not know how candidates are queried.
 */
package io.berth.scheduler.placement.candidate;
