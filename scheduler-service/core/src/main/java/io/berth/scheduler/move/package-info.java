/**
 * Moves instances between hosts, as nova's conductor does. {@link io.berth.scheduler.move.Moves} is the flow: the
 * changes to the request, the transfer of allocations between instance and migration, the claim by {@code selection},
 * and the record by which a move can be repeated, reverted, or rolled back after its replica is gone.
 * {@link io.berth.scheduler.move.MoveRollback} makes every rollback and revert. This package must not know routes or
 * bodies, nor how hosts are chosen.
 */
package io.berth.scheduler.move;
