/**
 * Server-group reservations: a member reserves a host in the database before it claims the host, so that concurrent
 * decisions for the same group count the member, on any replica. {@link
 * io.berth.scheduler.groupreservation.GroupReservations} is the entry point, used by {@code selection}, {@code move}
 * and {@code requestrecord}. {@link io.berth.scheduler.groupreservation.MovedMembers} updates the registered hosts of
 * members that nova moves without Berth. The statements that end a placement request or a move release its
 * reservations, except source reservations. This package must not know how hosts are chosen.
 */
package io.berth.scheduler.groupreservation;
