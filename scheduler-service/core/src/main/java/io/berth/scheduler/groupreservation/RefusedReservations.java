package io.berth.scheduler.groupreservation;

import io.berth.scheduler.claim.GroupReservation.Result;
import io.berth.scheduler.claim.GroupReservation;
import io.smallrye.mutiny.Uni;
import java.util.HashMap;
import java.util.Map;
import java.util.function.Function;

/**
 * Remembers reservations that were refused to an instance of a request, so that its next instances do not try them
 * again. Otherwise two requests for many instances of one group would make a quadratic number of attempts. There is
 * one object per request; its steps run one after the other.
 */
public final class RefusedReservations {
    private final Map<String, Result.Refused> known = new HashMap<>();

    public <H> GroupReservation<H> before(GroupReservation<H> seating, Function<H, String> name) {
        return host -> {
            String at = name.apply(host);
            Result.Refused refused = known.get(at);
            return refused != null
                    ? Uni.createFrom().item(refused)
                    : seating.take(host).invoke(reserved -> note(at, reserved));
        };
    }

    /**
     * Does not remember a refusal because the group is elsewhere: the request is decided again, and this host may
     * then be where the group is.
     */
    private void note(String at, Result reserved) {
        if (reserved instanceof Result.Refused refused && !refused.everywhereElse()) {
            known.put(at, refused);
        }
    }

    /** Forgets all refusals, since the request begins again. */
    public void forget() {
        known.clear();
    }
}
