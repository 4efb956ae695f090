package io.berth.identity;

import io.quarkus.runtime.PreventFurtherStepsException;
import org.jboss.logging.Logger;

/** Refuses to start with a configuration: one line in the log, no stack trace, exit code 1. */
public final class StartRefusal {
    private static final Logger LOG = Logger.getLogger(StartRefusal.class);

    private StartRefusal() {}

    /**
     * Logs the line.
     *
     * @return the exception to throw, which ends the process
     */
    public static IllegalStateException because(String line) {
        LOG.error(line);
        // If PreventFurtherStepsException itself is thrown, Quarkus keeps the present state; as a cause it ends the
        // process.
        return new IllegalStateException(new PreventFurtherStepsException(line, 1));
    }
}
