package io.berth.scheduler.scenariochange;

/** The deadline passed before all changes were applied, or before the selected hosts were known. */
public final class DeadlineExceeded extends RuntimeException {
    DeadlineExceeded() {
        super("the time was up before the changes were made", null, false, false);
    }
}
