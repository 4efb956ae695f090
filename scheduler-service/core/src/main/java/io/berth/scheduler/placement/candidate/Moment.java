package io.berth.scheduler.placement.candidate;

import java.util.Objects;

/**
 * What a replica of Placement had seen when it answered.
 *
 * @param replica another after each start of it
 * @param position in its own count of changes; rises
 */
public record Moment(String replica, long position) {
    public Moment {
        Objects.requireNonNull(replica, "replica");
    }

    /** False also where nobody can tell, as of different replicas. */
    public boolean isNotBefore(Moment other) {
        return position >= other.position && replica.equals(other.replica);
    }
}
