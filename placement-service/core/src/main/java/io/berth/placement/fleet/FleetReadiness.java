package io.berth.placement.fleet;

import io.berth.database.SqlFault;
import io.smallrye.health.api.AsyncHealthCheck;
import io.smallrye.mutiny.Uni;
import jakarta.inject.Singleton;
import java.time.Duration;
import org.eclipse.microprofile.health.HealthCheckResponse;
import org.eclipse.microprofile.health.HealthCheckResponseBuilder;
import org.eclipse.microprofile.health.Readiness;

/**
 * A readiness probe: the replica is ready if it can bring its view up to date within two seconds. In this case the
 * fleet is loaded, and the database responds and is not a standby. The response reports how far the view was behind
 * before the probe, and the providers that the view {@linkplain FleetView#leftOut leaves out}; these providers do not
 * make the replica unready. Concurrent probes share a query.
 */
@Readiness
@Singleton
public final class FleetReadiness implements AsyncHealthCheck {
    /** The longest wait for an up-to-date view; after it, the replica is not ready. */
    private static final Duration CATCH_UP_MAX = Duration.ofSeconds(2);

    private final FleetFeed feed;
    private final FleetMetrics metrics;

    FleetReadiness(FleetFeed feed, FleetMetrics metrics) {
        this.feed = feed;
        this.metrics = metrics;
    }

    @Override
    public Uni<HealthCheckResponse> call() {
        return Uni.createFrom().deferred(() -> {
            HealthCheckResponseBuilder fleet = HealthCheckResponse.named("fleet");
            double age = metrics.ageSeconds();
            fleet.withData("was-behind-ms", Double.isNaN(age) ? "not loaded" : String.valueOf(Math.round(age * 1e3)));
            return feed.fresh()
                    .ifNoItem().after(CATCH_UP_MAX).fail()
                    .map(view -> readyResponse(fleet, view))
                    .onFailure().recoverWithItem(failure -> fleet
                            .withData("reason", "not proven fresh within " + CATCH_UP_MAX.toSeconds()
                                    + " s: the database " + SqlFault.inWords(failure))
                            .down()
                            .build());
        });
    }

    private HealthCheckResponse readyResponse(HealthCheckResponseBuilder fleet, FleetView view) {
        fleet.withData("was-behind-changes", metrics.lastChanges())
                .withData("providers", view.providerCount())
                .withData("view", view.version());
        LeftOutProviders leftOut = LeftOutProviders.of(view);
        if (leftOut.trees() > 0) {
            fleet.withData("trees-left-out", leftOut.trees()).withData("providers-left-out", leftOut.shown());
        }
        return fleet.up().build();
    }
}
