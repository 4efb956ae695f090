package io.berth.scheduler.groupreservation;

import io.berth.scheduler.claim.GroupReservation.Result;
import io.berth.scheduler.claim.GroupReservation;
import io.smallrye.mutiny.Uni;
import java.util.HashMap;
import java.util.Map;
import java.util.UUID;
import java.util.function.Function;

/**
 * Remembers reservations that were refused to an instance of a request, so that its next instances do not try them
 * again. Otherwise two requests for many instances of one group would make a quadratic number of attempts. There is
 * one object per request; its steps run one after the other.
 */
public final class RefusedReservations {
    private final Map<String, Result.Refused> known = new HashMap<>();
    /** By instance, the host on which it has its place. */
    private final Map<UUID, String> taken = new HashMap<>();

    public <H> GroupReservation<H> before(UUID instance, GroupReservation<H> seating, Function<H, String> name) {
        return host -> {
            String at = name.apply(host);
            Result.Refused refused = at.equals(taken.get(instance)) ? null : known.get(at);
            return refused != null
                    ? Uni.createFrom().item(refused)
                    : seating.take(host).invoke(reserved -> note(instance, at, reserved));
        };
    }

    /**
     * Does not remember a refusal because the group is elsewhere: the request is decided again, and this host may
     * then be where the group is.
     */
    private void note(UUID instance, String at, Result reserved) {
        switch (reserved) {
            case Result.Taken _ -> {
                String before = taken.put(instance, at);
                if (before != null && !before.equals(at)) {
                    // Its place there is free again.
                    known.remove(before);
                }
            }
            case Result.Refused refused when !refused.everywhereElse() -> known.put(at, refused);
            case Result.Refused _ -> {}
        }
    }
}
