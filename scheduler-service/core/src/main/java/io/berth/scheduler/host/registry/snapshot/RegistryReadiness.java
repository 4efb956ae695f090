package io.berth.scheduler.host.registry.snapshot;

import io.berth.database.SqlFault;
import io.smallrye.health.api.AsyncHealthCheck;
import io.smallrye.mutiny.Uni;
import jakarta.inject.Singleton;
import java.time.Duration;
import org.eclipse.microprofile.health.HealthCheckResponse;
import org.eclipse.microprofile.health.HealthCheckResponseBuilder;
import org.eclipse.microprofile.health.Readiness;

/**
 * The readiness check: the replica is ready if the changes of the registry can be read within two seconds. Reports the
 * age that the registry had before the check. A cell's database that does not respond is reported, but does not make
 * the replica unready, because all other replicas wait for the same database; the check then waits for Berth's database
 * for up to two more seconds.
 */
@Readiness
@Singleton
public final class RegistryReadiness implements AsyncHealthCheck {
    private static final Duration CHECK_MAX = Duration.ofSeconds(2);

    private final RegistryFeed feed;
    private final RegistryMetrics metrics;

    RegistryReadiness(RegistryFeed feed, RegistryMetrics metrics) {
        this.feed = feed;
        this.metrics = metrics;
    }

    @Override
    public Uni<HealthCheckResponse> call() {
        return Uni.createFrom().deferred(() -> {
            HealthCheckResponseBuilder registry = HealthCheckResponse.named("registry");
            double age = metrics.ageSeconds();
            registry.withData(
                    "was-behind-ms", Double.isNaN(age) ? "not loaded" : String.valueOf(Math.round(age * 1e3)));
            return feed.check(CHECK_MAX)
                    .map(checked -> {
                        if (!checked.silentParts().isEmpty()) {
                            registry.withData("cells-away", String.join(", ", checked.silentParts()));
                        }
                        return registry.withData("compute-nodes", checked.registry().computeNodeCount()).up().build();
                    })
                    .onFailure().recoverWithItem(failure -> registry
                            .withData("reason", "not proven fresh within " + CHECK_MAX.toSeconds()
                                    + " s: the database " + SqlFault.inWords(failure))
                            .down()
                            .build());
        });
    }
}
