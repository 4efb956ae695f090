/**
 * Server-group reservations: a member reserves a host in the database before it claims the host, so that concurrent
 * decisions for the same group count the member, on any replica.
 * {@link io.berth.scheduler.groupreservation.GroupReservations} is the entry point, used by {@code selection},
 * {@code move} and {@code requestrecord}. {@link io.berth.scheduler.groupreservation.MovedMembers} updates the
 * registered hosts of members that nova moves without Berth. The statements that end a request to place instances, or a
 * move, release its reservations, except source reservations, which keep the place of a moving instance on the host
 * that it leaves. This package must not know how hosts are chosen.
 */
package io.berth.scheduler.groupreservation;
