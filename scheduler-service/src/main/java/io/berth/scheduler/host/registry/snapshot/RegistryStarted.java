package io.berth.scheduler.host.registry.snapshot;

import io.quarkus.runtime.StartupEvent;
import jakarta.enterprise.event.Observes;
import jakarta.inject.Singleton;
import org.eclipse.microprofile.health.HealthCheck;
import org.eclipse.microprofile.health.HealthCheckResponse;
import org.eclipse.microprofile.health.Startup;

/** Started means: the registry was read once. */
@Startup
@Singleton
public final class RegistryStarted implements HealthCheck {
    private final RegistryMetrics metrics;

    RegistryStarted(RegistryMetrics metrics) {
        this.metrics = metrics;
    }

    /** Read at start, so that the first request does not pay for it; a failure is tried again by it. */
    void read(@Observes StartupEvent starting, RegistryFeed feed) {
        feed.current().subscribe().with(read -> {}, failure -> {});
    }

    @Override
    public HealthCheckResponse call() {
        return HealthCheckResponse.named("registry read").status(metrics.wasLoaded()).build();
    }
}
