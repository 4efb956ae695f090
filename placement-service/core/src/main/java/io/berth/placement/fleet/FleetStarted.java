package io.berth.placement.fleet;

import jakarta.inject.Singleton;
import org.eclipse.microprofile.health.HealthCheck;
import org.eclipse.microprofile.health.HealthCheckResponse;
import org.eclipse.microprofile.health.Startup;

/**
 * A startup probe: the service counts as started once the fleet has been loaded, which may take seconds for a large
 * fleet. The liveness probe does not depend on the fleet.
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
