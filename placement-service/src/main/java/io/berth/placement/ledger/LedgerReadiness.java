package io.berth.placement.ledger;

import jakarta.inject.Singleton;
import org.eclipse.microprofile.health.HealthCheck;
import org.eclipse.microprofile.health.HealthCheckResponse;
import org.eclipse.microprofile.health.Readiness;

/**
 * Ready means: claims are taken, and find a connection to the database. One that is refused because too many wait is better told here than by a proxy without
 * replicas.
 */
@Readiness
@Singleton
public final class LedgerReadiness implements HealthCheck {
    private final Ledger ledger;

    LedgerReadiness(Ledger ledger) {
        this.ledger = ledger;
    }

    @Override
    public HealthCheckResponse call() {
        String obstacle = ledger.obstacle();
        var ready = HealthCheckResponse.named("ledger").withData("waiting", ledger.queueLength());
        return obstacle == null ? ready.up().build() : ready.withData("reason", obstacle).down().build();
    }
}
