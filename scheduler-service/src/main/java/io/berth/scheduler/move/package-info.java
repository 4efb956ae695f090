/**
 * Moves of instances between hosts, as nova's conductor makes them: what a move changes in the request, the transfer of
 * allocations between instance and migration, and the record that lets a move be repeated, reverted, or undone after
 * the replica that made it is gone. {@link io.berth.scheduler.move.MoveUndo} is where every way back goes through. Must
 * not know how hosts are chosen.
 */
package io.berth.scheduler.move;
