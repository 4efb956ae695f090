package io.berth.placement.audit;

import io.berth.context.Recurring;
import io.quarkus.runtime.StartupEvent;
import jakarta.enterprise.event.Observes;
import jakarta.inject.Singleton;
import java.time.Duration;
import java.util.random.RandomGenerator;
import org.eclipse.microprofile.config.inject.ConfigProperty;

/**
 * Runs an audit at regular intervals. The audit only lists findings; it heals nothing. {@link AuditMetrics} publishes
 * the number of findings.
 */
@Singleton
class RegularAudit {
    private final Audits audits;
    private final Duration every;

    /**
     * @param every the interval between the audits that a replica runs for its metrics; 0 for no audits. Each replica
     *         lengthens its interval once, at its start, by a random part of up to a tenth
     */
    RegularAudit(
            Audits audits,
            @ConfigProperty(name = "berth.placement.audit.every", defaultValue = "1H") Duration every) {
        this.audits = audits;
        this.every = every;
    }

    void start(@Observes StartupEvent started, Recurring recurring) {
        if (every.toMillis() > 0) {
            // Only one audit can run at a time in the database. A second one ends at once, finds nothing, and leaves
            // the replica's metrics unchanged. The random part of the interval keeps replicas that started together
            // from running their audits at the same times.
            long later = RandomGenerator.getDefault().nextLong(every.toMillis() / 10 + 1);
            recurring.every(every.plusMillis(later), () -> audits.plan(AuditRequest.ofAll()), "tables not audited");
        }
    }
}
