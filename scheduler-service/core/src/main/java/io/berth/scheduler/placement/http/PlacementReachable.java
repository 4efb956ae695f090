package io.berth.scheduler.placement.http;

import io.berth.context.SharedCall;
import io.berth.scheduler.placement.PlacementClient;
import io.smallrye.health.api.AsyncHealthCheck;
import io.smallrye.health.api.Wellness;
import io.smallrye.mutiny.Uni;
import io.vertx.core.http.HttpMethod;
import jakarta.inject.Singleton;
import java.time.Duration;
import org.eclipse.microprofile.health.HealthCheckResponse;

/**
 * Health check that is up if placement responds with 200 within two seconds. It reads placement's version discovery at
 * most once a second, however many clients call it; it is down while the circuit breaker of {@link PlacementHttp} is
 * open. It does not count for readiness: without placement, all replicas of the scheduler are equally unable to serve.
 * A load balancer that removed them all would hide their 503 responses, by which clients know that they should retry.
 */
@Wellness
@Singleton
public final class PlacementReachable implements AsyncHealthCheck {
    private static final Duration ANSWER_MAX = Duration.ofSeconds(2);
    /** Time for which further callers get the same result. */
    private static final Duration RESULT_VALIDITY = Duration.ofSeconds(1);

    private final Uni<HealthCheckResponse> check;

    PlacementReachable(PlacementHttp http) {
        check = SharedCall.of(
                Uni.createFrom()
                        .deferred(() -> http.once(HttpMethod.GET, "/", PlacementClient.MICROVERSION, null,
                                "req-wellness"))
                        .ifNoItem().after(ANSWER_MAX).fail()
                        .map(answer -> answer.status() == 200
                                ? HealthCheckResponse.up("placement")
                                : down("it answered " + answer.status()))
                        .onFailure().recoverWithItem(failure -> down(PlacementHttp.why(failure))),
                RESULT_VALIDITY);
    }

    private static HealthCheckResponse down(String reason) {
        return HealthCheckResponse.named("placement").withData("reason", reason).down().build();
    }

    @Override
    public Uni<HealthCheckResponse> call() {
        return check;
    }
}
