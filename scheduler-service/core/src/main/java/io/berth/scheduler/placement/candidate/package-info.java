/**
 * Allocation candidates as the scheduler holds them: {@link io.berth.scheduler.placement.candidate.AllocationCandidates},
 * by provider tree, most trees shared with other answers. Immutable values. Must not know how they are asked for.
 */
package io.berth.scheduler.placement.candidate;
