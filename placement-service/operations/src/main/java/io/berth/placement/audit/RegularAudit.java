package io.berth.placement.audit;

import io.berth.context.Recurring;
import io.quarkus.runtime.StartupEvent;
import jakarta.enterprise.event.Observes;
import jakarta.inject.Singleton;
import java.time.Duration;
import java.util.random.RandomGenerator;
import org.eclipse.microprofile.config.inject.ConfigProperty;

/**
 * Runs audits at regular intervals, which only list findings and heal nothing. {@link AuditMetrics} publishes the
 * number of findings.
 */
@Singleton
class RegularAudit {
    private final Audits audits;
    private final Duration every;

    /**
     * @param every the interval at which a replica runs an audit for its metrics, plus a random delay of up to a tenth;
     *         0 for never
     */
    RegularAudit(
            Audits audits,
            @ConfigProperty(name = "berth.placement.audit.every", defaultValue = "1H") Duration every) {
        this.audits = audits;
        this.every = every;
    }

    void start(@Observes StartupEvent started, Recurring recurring) {
        if (every.toMillis() > 0) {
            // Only one audit can run at a time in the database; another one ends at once, without findings. The random
            // delay keeps replicas that started together from running their audits at the same times.
            long later = RandomGenerator.getDefault().nextLong(every.toMillis() / 10 + 1);
            recurring.every(every.plusMillis(later), () -> audits.plan(AuditRequest.ofAll()), "tables not audited");
        }
    }
}
