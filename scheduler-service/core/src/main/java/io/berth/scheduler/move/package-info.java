/**
 * Moves instances between hosts, as nova's conductor does. {@link io.berth.scheduler.move.Moves} is the entry point for
 * {@code api}: this class changes the request, has {@code selection} choose and claim the target, transfers allocations
 * between instance and migration, and writes the record by which a move can be repeated, reverted, or rolled back after
 * its replica has died. {@link io.berth.scheduler.move.FinishedMoves} confirms and reverts;
 * {@link io.berth.scheduler.move.MoveRollback} restores the allocations for every rollback and revert. This package
 * must not know routes or request bodies, nor how hosts are chosen.
 */
package io.berth.scheduler.move;
