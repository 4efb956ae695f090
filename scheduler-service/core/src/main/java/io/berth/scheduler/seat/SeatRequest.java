package io.berth.scheduler.seat;

import jakarta.annotation.Nullable;
import java.util.Set;
import java.util.UUID;

/**
 * One seat that is asked for.
 *
 * @param holder the record that it is given back with
 * @param policy for a group that nobody registered
 * @param maxServerPerHost for such a group; null: 1
 * @param left taken with it; null for none
 * @param moving members that nova moves from or to the host
 */
record SeatRequest(
        UUID group,
        UUID instance,
        String host,
        String holder,
        @Nullable String policy,
        @Nullable Long maxServerPerHost,
        @Nullable SeatLeft left,
        Set<UUID> moving) {}
