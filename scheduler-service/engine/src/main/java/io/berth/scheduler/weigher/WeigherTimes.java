package io.berth.scheduler.weigher;

/** Receives the duration of each weigher for the hosts of a round, in nanoseconds. Does not affect the decision. */
public interface WeigherTimes {
    void weighed(String weigher, int hostCount, long nanos);
}
