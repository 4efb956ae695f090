package io.berth.scheduler.placement.candidate;

import java.util.Objects;

/**
 * The changes that a replica of Placement had seen when it responded.
 *
 * @param replica id of the replica, new after each start
 * @param position number of the last change that the replica had seen, by its own count
 */
public record Moment(String replica, long position) {
    public Moment {
        Objects.requireNonNull(replica, "replica");
    }

    /**
     * Returns whether this moment is known not to be before the other; false for different replicas, which cannot be
     * compared.
     */
    public boolean isNotBefore(Moment other) {
        return position >= other.position && replica.equals(other.replica);
    }
}
