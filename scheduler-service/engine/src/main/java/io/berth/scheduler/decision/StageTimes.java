package io.berth.scheduler.decision;

import io.berth.scheduler.weigher.WeigherTimes;

/** Receives the duration of each filter and weigher of a round, in nanoseconds. Does not affect the decision. */
public interface StageTimes extends WeigherTimes {
    /** Ignores all durations. */
    StageTimes NONE = new StageTimes() {
        @Override
        public void filtered(String filter, int hostCount, long nanos) {}

        @Override
        public void weighed(String weigher, int hostCount, long nanos) {}
    };

    /**
     * Receives the duration of one filter.
     *
     * @param hostCount number of hosts that the filter checked
     */
    void filtered(String filter, int hostCount, long nanos);

    /** Returns an instance that forwards each duration to this one and to {@code other}. */
    default StageTimes and(StageTimes other) {
        return new StageTimes() {
            @Override
            public void filtered(String filter, int hostCount, long nanos) {
                StageTimes.this.filtered(filter, hostCount, nanos);
                other.filtered(filter, hostCount, nanos);
            }

            @Override
            public void weighed(String weigher, int hostCount, long nanos) {
                StageTimes.this.weighed(weigher, hostCount, nanos);
                other.weighed(weigher, hostCount, nanos);
            }
        };
    }
}
