package io.berth.identity.log;

import io.berth.identity.Caller;
import io.berth.model.OperatorChange;
import io.quarkus.runtime.ShutdownEvent;
import io.quarkus.runtime.StartupEvent;
import jakarta.annotation.Nullable;
import jakarta.enterprise.event.Event;
import jakarta.enterprise.event.Observes;
import jakarta.inject.Singleton;
import java.time.Instant;
import org.eclipse.microprofile.config.inject.ConfigProperty;
import org.jboss.logging.Logger;

/**
 * Logs one line for each change of data that operators maintain, such as inventories, traits, aggregates, services,
 * groups, drains and the policy file. The line names the user, the previous value and the new value. Also fires an
 * {@link OperatorChange}, which an observer may store, even if the log is off.
 */
@Singleton
public final class ChangeLog {
    static final String CATEGORY = "io.berth.changes";
    private static final int WAITING_LINES_MAX = 1_024;

    private final boolean isOn;
    private final Event<OperatorChange> changeEvent;
    private final WaitingLines lines = new WaitingLines("change-log", Logger.getLogger(CATEGORY), WAITING_LINES_MAX);

    /**
     * @param isOn whether a line is logged for each change of inventories, traits, aggregates, cells, services, groups,
     *         drains and policy rules (log category {@code io.berth.changes}); at most 1,024 lines wait to be written;
     *         further lines are dropped, and a warning has their number
     */
    ChangeLog(
            @ConfigProperty(name = "berth.log.changes", defaultValue = "true") boolean isOn,
            Event<OperatorChange> changeEvent) {
        this.isOn = isOn;
        this.changeEvent = changeEvent;
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
     * Logs a change that a caller made.
     *
     * @param what kind and name of the changed object
     * @param old the value before the change; null if the object did not exist
     * @param now the value after the change; null if the object was deleted. If it equals {@code old}, there is no line
     *         and no event
     */
    public void changed(Caller caller, String requestId, String what, @Nullable String old, @Nullable String now) {
        String project = caller.projectId() == null ? "" : caller.projectId();
        publish(what, caller.userId(), project, requestId, old == null ? "" : old, now == null ? "" : now);
    }

    /** Logs a change that the service found in a reloaded file. The line has no user and no request id. */
    public void fileChanged(String what, String old, String now) {
        publish(what, "", "", "", old, now);
    }

    private void publish(String what, String user, String project, String requestId, String old, String now) {
        if (!old.equals(now)) {
            OperatorChange change = new OperatorChange(Instant.now(), what, user, project, requestId, old, now);
            if (isOn) {
                lines.add(change);
            }
            changeEvent.fire(change);
        }
    }
}
