package io.berth.scheduler.seat;

import io.berth.scheduler.claim.Seating;
import io.berth.scheduler.claim.Seating.Seated;
import io.smallrye.mutiny.Uni;
import java.util.HashMap;
import java.util.Map;
import java.util.function.Function;

/**
 * Seats that were refused to an instance of a request: the next of its instances does not ask for them again, else two
 * requests of a group for many instances each would ask for as many as both together, squared. One object per request;
 * its steps run one after the other.
 */
public final class RefusedSeats {
    private final Map<String, Seated.Refused> known = new HashMap<>();

    public <H> Seating<H> before(Seating<H> seating, Function<H, String> name) {
        return host -> {
            String at = name.apply(host);
            Seated.Refused refused = known.get(at);
            return refused != null
                    ? Uni.createFrom().item(refused)
                    : seating.take(host).invoke(seated -> note(at, seated));
        };
    }

    /** Where the group is elsewhere the request is decided anew: then this may be where it is. */
    private void note(String at, Seated seated) {
        if (seated instanceof Seated.Refused refused && !refused.everywhereElse()) {
            known.put(at, refused);
        }
    }

    /** The request begins again. */
    public void forget() {
        known.clear();
    }
}
