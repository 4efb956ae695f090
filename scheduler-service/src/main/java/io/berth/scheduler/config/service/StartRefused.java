package io.berth.scheduler.config.service;

import io.quarkus.runtime.PreventFurtherStepsException;
import io.quarkus.runtime.Quarkus;
import org.jboss.logging.Logger;

/** Ends the start of the service with one line in the log and exit code 1. */
public final class StartRefused {
    private static final Logger LOG = Logger.getLogger(StartRefused.class);
    private static final int EXIT_CODE = 1;

    private StartRefused() {}

    /** @return to be thrown */
    public static PreventFurtherStepsException because(String line) {
        LOG.error(line);
        // The exception alone ends the start but not the process, which would wait for a signal.
        Quarkus.asyncExit(EXIT_CODE);
        return new PreventFurtherStepsException(line, EXIT_CODE);
    }
}
