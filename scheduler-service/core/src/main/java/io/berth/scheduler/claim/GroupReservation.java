package io.berth.scheduler.claim;

import io.smallrye.mutiny.Uni;

/**
 * Reserves a place for one instance of a server group on each host that is tried, before the instance claims the host.
 *
 * @param <H> the caller's type of a host
 */
@FunctionalInterface
public interface GroupReservation<H> {
    /** Reserves a place on a host. A reservation that is made replaces that of this instance on the previous host. */
    Uni<Result> reserve(H host);

    /** The result of a reservation. */
    sealed interface Result {
        /** The place is reserved. */
        record Reserved() implements Result {}

        /**
         * The group's policy does not permit the instance on the host.
         *
         * @param why the reason, for the client
         * @param endsAttempts true if no further host is to be tried: the policy is affinity, the group has
         * members on other hosts, and the caller did not set {@link Grouping#isAnyHostTried}. The remaining hosts may
         * have been selected without these members, so the request must be decided again
         */
        record Refused(String why, boolean endsAttempts) implements Result {}
    }
}
