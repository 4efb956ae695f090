package io.berth.scheduler.claim;

import io.smallrye.mutiny.Uni;

/** Takes the seat of one instance in its server group on each host that is about to be claimed. */
@FunctionalInterface
public interface Seating<H> {
    /** The seat on another host is given up with it. */
    Uni<Seated> take(H host);

    /** What the group says to one more member on a host. */
    sealed interface Seated {
        record Taken() implements Seated {}

        /** @param everywhereElse whether only the hosts that members are on already would do */
        record Refused(String why, boolean everywhereElse) implements Seated {}
    }
}
