package io.berth.scheduler.decision;

import io.berth.scheduler.weigher.WeigherTimes;

/** Is told how long each filter and weigher of a round took, in nanoseconds. Has no say in what is decided. */
public interface StageTimes extends WeigherTimes {
    StageTimes NOBODY = new StageTimes() {
        @Override
        public void filtered(String filter, int hostCount, long nanos) {}

        @Override
        public void weighed(String weigher, int hostCount, long nanos) {}
    };

    /** @param hostCount hosts that reached the filter */
    void filtered(String filter, int hostCount, long nanos);

    /** Tells both. */
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
