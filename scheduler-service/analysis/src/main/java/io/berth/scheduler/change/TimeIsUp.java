package io.berth.scheduler.change;

/** The time was up before it was known what the changes make of the cloud. */
public final class TimeIsUp extends RuntimeException {
    TimeIsUp() {
        super("the time was up before the changes were made", null, false, false);
    }
}
