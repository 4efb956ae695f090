/**
 * Reservations for server groups: the host that a member is about to claim, so that other members that are
 * decided at the same time, on any replica, count it. {@link io.berth.scheduler.groupreservation.GroupReservations} is
 * the entry point; {@link io.berth.scheduler.groupreservation.MovedMembers} tracks members that nova moves without
 * Berth. This package must not know how hosts are chosen; the records that release reservations (placement requests,
 * moves) do so in their own statements.
 */
package io.berth.scheduler.groupreservation;
