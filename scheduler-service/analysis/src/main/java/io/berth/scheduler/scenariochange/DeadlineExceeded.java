package io.berth.scheduler.scenariochange;

/** Thrown if the deadline passes before all changes are applied, or before the selected hosts are found. */
public final class DeadlineExceeded extends RuntimeException {
    DeadlineExceeded() {
        super("the time was up before the changes were applied, or before the selected hosts were found", null, false,
                false);
    }
}
