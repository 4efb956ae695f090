package io.berth.scheduler.scenariochange;

/** The time was up before the effect of the changes was known. */
public final class TimeIsUp extends RuntimeException {
    TimeIsUp() {
        super("the time was up before the changes were made", null, false, false);
    }
}
