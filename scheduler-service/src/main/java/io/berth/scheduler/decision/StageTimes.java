package io.berth.scheduler.decision;

/** Is told how long the stages of each round took, in nanoseconds. Has no say in what is decided. */
public interface StageTimes {
    StageTimes NOBODY = new StageTimes() {
        @Override
        public void filtered(long nanos) {}

        @Override
        public void weighed(long nanos) {}
    };

    void filtered(long nanos);

    void weighed(long nanos);
}
