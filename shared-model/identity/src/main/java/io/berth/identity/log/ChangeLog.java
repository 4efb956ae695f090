package io.berth.identity.log;

import io.berth.identity.Caller;
import io.quarkus.runtime.ShutdownEvent;
import io.quarkus.runtime.StartupEvent;
import jakarta.annotation.Nullable;
import jakarta.enterprise.event.Observes;
import jakarta.inject.Singleton;
import org.eclipse.microprofile.config.inject.ConfigProperty;
import org.jboss.logging.Logger;

/**
 * One line in the log for each change that somebody makes to what operators keep: inventories, traits, aggregates,
 * services, groups. It names who made it, and what was there before.
 */
@Singleton
public final class ChangeLog {
    static final String CATEGORY = "io.berth.changes";
    private static final int WAITING_MAX = 1_024;

    private final boolean isOn;
    private final WaitingLines lines = new WaitingLines("change-log", Logger.getLogger(CATEGORY), WAITING_MAX);

    /**
     * @param isOn whether a line is logged for each change of inventories, traits, aggregates, services and groups ({@code
     *     io.berth.changes}); 1,024 lines may wait to be written, others are counted in a warning
     */
    ChangeLog(@ConfigProperty(name = "berth.log.changes", defaultValue = "true") boolean isOn) {
        this.isOn = isOn;
    }

    void start(@Observes StartupEvent started) {
        if (isOn) {
            lines.start();
        }
    }

    void stop(@Observes ShutdownEvent stopped) {
        lines.stop();
    }

    /**
     * Logs a change that was made.
     *
     * @param what with the name that operators know it by
     * @param old null where it was not there
     * @param now null where it is gone; the same as {@code old} is no change
     */
    public void changed(Caller caller, String requestId, String what, @Nullable String old, @Nullable String now) {
        if (isOn && (old == null ? now != null : !old.equals(now))) {
            lines.add(new ChangeLine(what, caller.userId(), caller.projectId(), requestId, old, now));
        }
    }
}
