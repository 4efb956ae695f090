package io.berth.placement.audit;

import io.berth.context.Recurring;
import io.quarkus.runtime.StartupEvent;
import jakarta.enterprise.event.Observes;
import jakarta.inject.Singleton;
import java.time.Duration;
import java.util.random.RandomGenerator;
import org.eclipse.microprofile.config.inject.ConfigProperty;

/** Audits the tables at regular intervals for {@link AuditMetrics}. Heals nothing. */
@Singleton
class RegularAudit {
    private final Audits audits;
    private final Duration every;

    /**
     * @param every how often a replica audits automatically, for its metrics alone, or up to a tenth later; 0 for never
     */
    RegularAudit(
            Audits audits,
            @ConfigProperty(name = "berth.placement.audit.every", defaultValue = "1H") Duration every) {
        this.audits = audits;
        this.every = every;
    }

    void start(@Observes StartupEvent started, Recurring recurring) {
        if (every.toMillis() > 0) {
            // Only one replica audits at a time; the random delay keeps replicas that started together from colliding
            // each time.
            long later = RandomGenerator.getDefault().nextLong(every.toMillis() / 10 + 1);
            recurring.every(every.plusMillis(later), () -> audits.plan(AuditRequest.ofAll()), "tables not audited");
        }
    }
}
