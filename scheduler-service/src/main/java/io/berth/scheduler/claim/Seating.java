package io.berth.scheduler.claim;

import io.smallrye.mutiny.Uni;
import java.util.List;

/** Takes the seat of one instance in its server group on each host that is about to be claimed. */
@FunctionalInterface
public interface Seating<H> {
    /**
     * The seat on another host is given up with it.
     *
     * @param mayHold hosts whose claim had no answer, so that it may still hold: seats there stay
     */
    Uni<Seated> take(H host, List<H> mayHold);

    /** What the group says to one more member on a host. */
    sealed interface Seated {
        record Taken() implements Seated {}

        /** @param everywhereElse whether only the hosts that members are on already would do */
        record Refused(String why, boolean everywhereElse) implements Seated {}
    }
}
