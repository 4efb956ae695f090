/**
 * Moves of instances between hosts, as nova's conductor makes them. {@link io.berth.scheduler.move.Moves} is the flow:
 * what a move changes in the request, the transfer of allocations between instance and migration, the claim by
 * {@code selection}, and the record that lets a move be repeated, reverted, or undone after the replica that made it is
 * gone. {@link io.berth.scheduler.move.MoveUndo} is where every way back goes through. Must not know routes or bodies,
 * nor how hosts are chosen.
 */
package io.berth.scheduler.move;
