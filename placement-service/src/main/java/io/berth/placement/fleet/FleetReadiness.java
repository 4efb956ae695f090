package io.berth.placement.fleet;

import io.smallrye.health.api.AsyncHealthCheck;
import io.smallrye.mutiny.Uni;
import jakarta.inject.Singleton;
import java.time.Duration;
import org.eclipse.microprofile.health.HealthCheckResponse;
import org.eclipse.microprofile.health.Readiness;

/** Ready means: this replica can prove its view fresh within two seconds, so the database answers and the fleet is loaded. */
@Readiness
@Singleton
public final class FleetReadiness implements AsyncHealthCheck {
    private static final Duration ANSWER_MAX = Duration.ofSeconds(2);

    private final FleetFeed feed;

    FleetReadiness(FleetFeed feed) {
        this.feed = feed;
    }

    @Override
    public Uni<HealthCheckResponse> call() {
        return feed.fresh()
                .ifNoItem().after(ANSWER_MAX).fail()
                .map(view -> HealthCheckResponse.named("fleet")
                        .withData("providers", view.providerCount())
                        .withData("view", view.version())
                        .up()
                        .build())
                .onFailure().recoverWithItem(failure -> HealthCheckResponse.named("fleet")
                        .withData("failure", failure.getClass().getSimpleName())
                        .down()
                        .build());
    }
}
