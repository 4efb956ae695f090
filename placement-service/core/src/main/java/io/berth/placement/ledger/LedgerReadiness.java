package io.berth.placement.ledger;

import jakarta.inject.Singleton;
import org.eclipse.microprofile.health.HealthCheck;
import org.eclipse.microprofile.health.HealthCheckResponse;
import org.eclipse.microprofile.health.Readiness;

/**
 * A readiness probe: the replica is ready if the ledger accepts claims and a claim can get a database connection. A
 * full queue does not make a replica unready: with all replicas unready, a proxy would refuse requests itself, without
 * the ledger's error message.
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
        String reason = ledger.refusalReason();
        var ready = HealthCheckResponse.named("ledger").withData("waiting", ledger.queueLength());
        return reason == null ? ready.up().build() : ready.withData("reason", reason).down().build();
    }
}
