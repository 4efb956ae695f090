package io.berth.scheduler.claim;

import io.smallrye.mutiny.Uni;

/**
 * Reserves the place of one instance in its server group on each host before the instance claims there.
 *
 * @param <H> the caller's type of a host
 */
@FunctionalInterface
public interface GroupReservation<H> {
    /** Reserves a place on a host, and releases the reservation of this instance on the previous host. */
    Uni<Result> take(H host);

    /** The result of a reservation. */
    sealed interface Result {
        record Taken() implements Result {}

        /**
         * @param why the reason, for the client
         * @param everywhereElse whether the group accepts only hosts on which it already has members
         */
        record Refused(String why, boolean everywhereElse) implements Result {}
    }
}
