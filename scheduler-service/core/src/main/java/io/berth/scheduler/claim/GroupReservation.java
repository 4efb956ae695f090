package io.berth.scheduler.claim;

import io.smallrye.mutiny.Uni;

/** Reserves the place of one instance in its server group on each host before it is claimed. */
@FunctionalInterface
public interface GroupReservation<H> {
    /** Reserves a place on the host, and releases the reservation on the previous one. */
    Uni<Result> take(H host);

    /** The result of a reservation. */
    sealed interface Result {
        record Taken() implements Result {}

        /** @param everywhereElse whether only hosts that already have members would be accepted */
        record Refused(String why, boolean everywhereElse) implements Result {}
    }
}
