package io.berth.scheduler.claim;

import io.smallrye.mutiny.Uni;

/**
 * Reserves the place of one instance in its server group: on each host that is tried, before the instance claims the
 * host.
 *
 * @param <H> the caller's type of a host
 */
@FunctionalInterface
public interface GroupReservation<H> {
    /** Reserves a place on a host. A reservation that is made replaces that of this instance on the previous host. */
    Uni<Result> take(H host);

    /** The result of a reservation. */
    sealed interface Result {
        /** The place is reserved. */
        record Taken() implements Result {}

        /**
         * The group's policy does not permit the instance on the host.
         *
         * @param why the reason, for the client
         * @param onlyHostsOfMembers whether no further host is to be tried, because every host without a member of the
         *         group would be refused, too
         */
        record Refused(String why, boolean onlyHostsOfMembers) implements Result {}
    }
}
