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

/**
 * The startup check: up once the registry has been read from Berth's own database for the first time, even if nova's
 * databases do not respond.
 */
@Startup
@Singleton
public final class RegistryStarted implements HealthCheck {
    private final RegistryMetrics metrics;

    RegistryStarted(RegistryMetrics metrics) {
        this.metrics = metrics;
    }

    /**
     * Reads the registry at start, and every second until a read succeeds: a replica that has not started gets no
     * requests, which otherwise cause reads. Later it reads every second only while the database does not respond, to
     * measure the length of the outage.
     */
    void read(@Observes StartupEvent starting, RegistryFeed feed, Recurring recurring) {
        feed.current().subscribe().with(read -> {}, failure -> {});
        recurring.every(
                Duration.ofSeconds(1),
                () -> !metrics.wasLoaded()
                        ? feed.current().replaceWithVoid()
                        : feed.isDatabaseAway() ? feed.readOwn() : Uni.createFrom().voidItem(),
                "registry not read");
    }

    @Override
    public HealthCheckResponse call() {
        return HealthCheckResponse.named("registry read").status(metrics.wasLoaded()).build();
    }
}
