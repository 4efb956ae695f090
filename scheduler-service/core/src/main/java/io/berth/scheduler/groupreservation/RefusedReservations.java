package io.berth.scheduler.groupreservation;

import io.berth.scheduler.claim.GroupReservation;
import io.berth.scheduler.claim.GroupReservation.Result;
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
    private final Map<String, Result.Refused> refusalByHost = new HashMap<>();
    private final Map<UUID, String> reservedHostByInstance = new HashMap<>();

    /**
     * Returns a reservation that calls {@code reservation} and remembers the result. For a host with a remembered
     * refusal, it returns that refusal instead, unless the instance itself has its reservation on the host.
     *
     * @param name returns a host's name
     */
    public <H> GroupReservation<H> rememberingRefusals(UUID instance, GroupReservation<H> reservation,
            Function<H, String> name) {
        return host -> {
            String hostName = name.apply(host);
            Result.Refused refused =
                    hostName.equals(reservedHostByInstance.get(instance)) ? null : refusalByHost.get(hostName);
            return refused != null
                    ? Uni.createFrom().item(refused)
                    : reservation.reserve(host).invoke(reserved -> remember(instance, hostName, reserved));
        };
    }

    /**
     * Remembers a result. Ignores a refusal that ends the attempts ({@code endsAttempts}: an affinity group has
     * its members on other hosts). The request is then decided again with the group's current hosts, and that decision
     * may select this host.
     */
    private void remember(UUID instance, String hostName, Result reserved) {
        switch (reserved) {
            case Result.Reserved _ -> {
                String previousHost = reservedHostByInstance.put(instance, hostName);
                if (previousHost != null && !previousHost.equals(hostName)) {
                    // The new reservation has replaced the one on the previous host, which may accept a member again.
                    refusalByHost.remove(previousHost);
                }
            }
            case Result.Refused refused when !refused.endsAttempts() -> refusalByHost.put(hostName, refused);
            case Result.Refused _ -> {}
        }
    }
}
