package io.berth.scheduler.weigher;

/** Is told how long each weigher took for the hosts of a round, in nanoseconds. Has no say in what is decided. */
public interface WeigherTimes {
    void weighed(String weigher, int hostCount, long nanos);
}
