/**
 * Plans moves of instances on a copy of the cloud: {@link io.berth.scheduler.planning.DrainPlanner} plans how hosts are
 * emptied, {@link io.berth.scheduler.planning.NextMoves} chooses the next moves of a drain,
 * {@link io.berth.scheduler.planning.ProposalsEndpoint} proposes moves for a goal. Plans only destinations that
 * {@code POST /v1/moves} would accept; makes no move itself. Used by {@code drain}, {@code explain} and
 * {@code scenario}.
 */
package io.berth.scheduler.planning;
