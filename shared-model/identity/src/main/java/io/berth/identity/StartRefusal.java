package io.berth.identity;

import io.quarkus.runtime.PreventFurtherStepsException;
import org.jboss.logging.Logger;

/**
 * Stops the start of a service that cannot run with its configuration: one line in the log, no stack trace, exit code
 * 1.
 */
public final class StartRefusal {
    private static final Logger LOG = Logger.getLogger(StartRefusal.class);

    private StartRefusal() {}

    /**
     * Logs the line at level ERROR.
     *
     * @return the exception to throw, which ends the process
     */
    public static IllegalStateException because(String line) {
        LOG.error(line);
        // Quarkus ends the process if PreventFurtherStepsException is the cause of an exception; if it is thrown
        // itself, Quarkus only stops starting, and the process continues.
        return new IllegalStateException(new PreventFurtherStepsException(line, 1));
    }
}
