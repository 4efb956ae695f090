package io.berth.placement.fleet;

import jakarta.inject.Singleton;
import org.eclipse.microprofile.health.HealthCheck;
import org.eclipse.microprofile.health.HealthCheckResponse;
import org.eclipse.microprofile.health.Startup;

/**
 * The service counts as started after the fleet was loaded once. Large fleets take their time; liveness need not wait
 * for them.
 */
@Startup
@Singleton
public final class FleetStarted implements HealthCheck {
    private final FleetMetrics metrics;

    FleetStarted(FleetMetrics metrics) {
        this.metrics = metrics;
    }

    @Override
    public HealthCheckResponse call() {
        return HealthCheckResponse.named("fleet loaded").status(metrics.wasLoaded()).build();
    }
}
