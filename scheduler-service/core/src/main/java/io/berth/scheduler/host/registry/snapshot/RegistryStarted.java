package io.berth.scheduler.host.registry.snapshot;

import io.berth.context.Recurring;
import io.quarkus.runtime.StartupEvent;
import io.smallrye.mutiny.Uni;
import jakarta.enterprise.event.Observes;
import jakarta.inject.Singleton;
import java.time.Duration;
import org.eclipse.microprofile.health.HealthCheck;
import org.eclipse.microprofile.health.HealthCheckResponse;
import org.eclipse.microprofile.health.Startup;

/** The startup check: passes once the registry has been read. */
@Startup
@Singleton
public final class RegistryStarted implements HealthCheck {
    private final RegistryMetrics metrics;

    RegistryStarted(RegistryMetrics metrics) {
        this.metrics = metrics;
    }

    /**
     * Reads the registry every second until it succeeds, because no client calls a replica that has not started. Later
     * it reads only while the database is down, to measure how long the outage lasts.
     */
    void read(@Observes StartupEvent starting, RegistryFeed feed, Recurring recurring) {
        feed.current().subscribe().with(read -> {}, failure -> {});
        recurring.every(
                Duration.ofSeconds(1),
                () -> !metrics.wasLoaded()
                        ? feed.current().replaceWithVoid()
                        : feed.isAway() ? feed.readOwn() : Uni.createFrom().voidItem(),
                "registry not read");
    }

    @Override
    public HealthCheckResponse call() {
        return HealthCheckResponse.named("registry read").status(metrics.wasLoaded()).build();
    }
}
