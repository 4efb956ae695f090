package io.berth.scheduler.placement.candidate;

import java.util.Objects;

/**
 * The last change that a replica of placement had applied when it responded.
 *
 * @param replica id of the replica, which changes at each start
 * @param position number of that change, as counted by this replica
 */
public record FleetPosition(String replica, long position) {
    public FleetPosition {
        Objects.requireNonNull(replica, "replica");
    }

    /**
     * Returns whether this position is equal to the other one or later. False for positions of different replicas,
     * which cannot be compared.
     */
    public boolean isNotBefore(FleetPosition other) {
        return position >= other.position && replica.equals(other.replica);
    }
}
