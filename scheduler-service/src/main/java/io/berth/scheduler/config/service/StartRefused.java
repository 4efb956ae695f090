package io.berth.scheduler.config.service;

import io.quarkus.runtime.PreventFurtherStepsException;
import org.jboss.logging.Logger;

/** Ends the start of the service, and its process, with one line in the log and exit code 1. */
public final class StartRefused {
    private static final Logger LOG = Logger.getLogger(StartRefused.class);
    private static final int EXIT_CODE = 1;

    private StartRefused() {}

    /** @return to be thrown */
    public static IllegalStateException because(String line) {
        LOG.error(line);
        // Thrown bare it would be taken for a wish to stay as we are; as a cause it ends the process.
        return new IllegalStateException(new PreventFurtherStepsException(line, EXIT_CODE));
    }
}
