package io.berth.scheduler.groupreservation;

import io.berth.scheduler.claim.GroupReservation.Result;
import io.berth.scheduler.claim.GroupReservation;
import io.smallrye.mutiny.Uni;
import java.util.HashMap;
import java.util.Map;
import java.util.UUID;
import java.util.function.Function;

/**
 * Remembers the hosts on which a request was refused a server-group reservation, so that the request's next instances
 * do not try the same hosts. Otherwise two concurrent requests for many instances of one group would make a quadratic
 * number of attempts. Each request has its own object, which is not thread-safe: a request's steps run in sequence.
 */
public final class RefusedReservations {
    /** Refusals by host name. */
    private final Map<String, Result.Refused> known = new HashMap<>();
    /** The host on which each instance has its reservation. */
    private final Map<UUID, String> reservedHosts = new HashMap<>();

    /**
     * Returns a reservation that checks the remembered refusals before it calls {@code reservation}.
     *
     * @param name returns a host's name
     */
    public <H> GroupReservation<H> before(UUID instance, GroupReservation<H> reservation, Function<H, String> name) {
        return host -> {
            String at = name.apply(host);
            Result.Refused refused = at.equals(reservedHosts.get(instance)) ? null : known.get(at);
            return refused != null
                    ? Uni.createFrom().item(refused)
                    : reservation.take(host).invoke(reserved -> note(instance, at, reserved));
        };
    }

    /**
     * Remembers a result. Ignores the refusal of an affinity group that is on another host: the request is then decided
     * again with the group's host, and that decision may select this host.
     */
    private void note(UUID instance, String at, Result reserved) {
        switch (reserved) {
            case Result.Taken _ -> {
                String before = reservedHosts.put(instance, at);
                if (before != null && !before.equals(at)) {
                    // The new reservation has replaced the earlier one, so the earlier host may accept a member again.
                    known.remove(before);
                }
            }
            case Result.Refused refused when !refused.onlyHostsOfMembers() -> known.put(at, refused);
            case Result.Refused _ -> {}
        }
    }
}
