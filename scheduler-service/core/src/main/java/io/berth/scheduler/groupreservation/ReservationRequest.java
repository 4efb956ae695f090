package io.berth.scheduler.groupreservation;

import jakarta.annotation.Nullable;
import java.util.Set;
import java.util.UUID;

/**
 * A request for one group reservation.
 *
 * @param holder key of the record that releases it
 * @param policy for a group that is not registered
 * @param maxServerPerHost for such a group; null: 1
 * @param left the source reservation that is made with it; null for none
 * @param moving members that nova moves from or to the host
 */
record ReservationRequest(
        UUID group,
        UUID instance,
        String host,
        String holder,
        @Nullable String policy,
        @Nullable Long maxServerPerHost,
        @Nullable SourceReservation left,
        Set<UUID> moving) {}
