/**
 * Allocation candidates in memory: {@link io.berth.scheduler.placement.candidate.AllocationCandidates}, by provider
 * tree; most trees are shared with other responses. Immutable values. This package must not know how candidates are
 * queried.
 */
package io.berth.scheduler.placement.candidate;
