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
 * One line in the log for each change that somebody makes to what operators keep: inventories, traits, aggregates,
 * services, groups, the policy file. It names who made it, and what was there before. Fires an {@link OperatorChange} for
 * those who keep them.
 */
@Singleton
public final class ChangeLog {
    static final String CATEGORY = "io.berth.changes";
    private static final int WAITING_MAX = 1_024;

    private final boolean isOn;
    private final Event<OperatorChange> made;
    private final WaitingLines lines = new WaitingLines("change-log", Logger.getLogger(CATEGORY), WAITING_MAX);

    /**
     * @param isOn whether a line is logged for each change of inventories, traits, aggregates, services, groups and policy
     *     rules ({@code io.berth.changes}); 1,024 lines may wait to be written, others are counted in a warning
     */
    ChangeLog(
            @ConfigProperty(name = "berth.log.changes", defaultValue = "true") boolean isOn, Event<OperatorChange> made) {
        this.isOn = isOn;
        this.made = made;
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
     * Notes a change that was made.
     *
     * @param what with the name that operators know it by
     * @param old null where it was not there
     * @param now null where it is gone; the same as {@code old} is no change
     */
    public void changed(Caller caller, String requestId, String what, @Nullable String old, @Nullable String now) {
        String project = caller.projectId() == null ? "" : caller.projectId();
        note(what, caller.userId(), project, requestId, old == null ? "" : old, now == null ? "" : now);
    }

    /** Notes that the service took over what somebody changed in a file. */
    public void fileChanged(String what, String old, String now) {
        note(what, "", "", "", old, now);
    }

    private void note(String what, String user, String project, String requestId, String old, String now) {
        if (!old.equals(now)) {
            OperatorChange change = new OperatorChange(Instant.now(), what, user, project, requestId, old, now);
            if (isOn) {
                lines.add(change);
            }
            made.fire(change);
        }
    }
}
