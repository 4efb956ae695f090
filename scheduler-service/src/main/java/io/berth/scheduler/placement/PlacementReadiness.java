package io.berth.scheduler.placement;

import io.smallrye.health.api.AsyncHealthCheck;
import io.smallrye.mutiny.Uni;
import io.vertx.core.http.HttpMethod;
import jakarta.inject.Singleton;
import java.time.Duration;
import org.eclipse.microprofile.health.HealthCheckResponse;
import org.eclipse.microprofile.health.Readiness;

/**
 * Ready means: placement answers within two seconds. Its version discovery is asked, at most once a second, however
 * many ask here.
 */
@Readiness
@Singleton
public final class PlacementReadiness implements AsyncHealthCheck {
    private static final Duration ANSWER_MAX = Duration.ofSeconds(2);
    private static final Duration KEPT = Duration.ofSeconds(1);

    private final Uni<HealthCheckResponse> check;

    PlacementReadiness(PlacementHttp http) {
        check = Uni.createFrom().deferred(() ->
                        http.once(HttpMethod.GET, "/", PlacementClient.MICROVERSION, null, "req-readiness"))
                .ifNoItem().after(ANSWER_MAX).fail()
                .map(answer -> answer.status() == 200
                        ? HealthCheckResponse.up("placement")
                        : down("it answered " + answer.status()))
                .onFailure().recoverWithItem(failure -> down(failure instanceof PlacementHttp.PlacementAway
                        ? failure.getMessage() : failure.getClass().getSimpleName()))
                .memoize().forFixedDuration(KEPT);
    }

    private static HealthCheckResponse down(String reason) {
        return HealthCheckResponse.named("placement").withData("reason", reason).down().build();
    }

    @Override
    public Uni<HealthCheckResponse> call() {
        return check;
    }
}
