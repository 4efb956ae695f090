package io.berth.identity;

import io.quarkus.runtime.PreventFurtherStepsException;
import org.jboss.logging.Logger;

/** A configuration that the service will not start with: one line in the log, no stack trace, exit code 1. */
public final class StartRefusal {
    private static final Logger LOG = Logger.getLogger(StartRefusal.class);

    private StartRefusal() {}

    public static PreventFurtherStepsException because(String line) {
        LOG.error(line);
        return new PreventFurtherStepsException(line, 1);
    }
}
