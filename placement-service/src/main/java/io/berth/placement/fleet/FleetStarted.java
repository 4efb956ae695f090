package io.berth.placement.fleet;

import jakarta.inject.Singleton;
import org.eclipse.microprofile.health.HealthCheck;
import org.eclipse.microprofile.health.HealthCheckResponse;
import org.eclipse.microprofile.health.Startup;

/**
 * Startup probe: the service counts as started once the fleet has been loaded. A large fleet takes a while to load;
 * liveness does not depend on it.
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
