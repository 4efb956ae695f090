/**
 * Seats of server groups: which host a member is about to claim, so that others of its group that decide at the same
 * moment, on whichever replica, count it. {@link io.berth.scheduler.seat.Seats} is the entry point;
 * {@link io.berth.scheduler.seat.MovedMembers} keeps up with members that somebody else moves. Must not know how
 * hosts are chosen; the records that give seats back (boots, moves) do so in their own statements.
 */
package io.berth.scheduler.seat;
