package io.berth.scheduler.groupreservation;

import jakarta.annotation.Nullable;
import java.util.Set;
import java.util.UUID;

/**
 * A request for one server-group reservation.
 *
 * @param holder key of the request to place the instance, or of the move, that releases the reservation
 * @param policy the policy, which counts only if the group is not registered; null for none
 * @param maxServerPerHost maximum members per host, which counts only if the group is not registered; null: 1
 * @param source the reservation on the host that a moving instance leaves, made in the same statement; null for none
 * @param moving members that nova moves from or to the host; they count as members on it
 */
record ReservationRequest(
        UUID group,
        UUID instance,
        String host,
        String holder,
        @Nullable String policy,
        @Nullable Long maxServerPerHost,
        @Nullable SourceReservation source,
        Set<UUID> moving) {}
