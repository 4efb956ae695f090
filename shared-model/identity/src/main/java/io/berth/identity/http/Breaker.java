package io.berth.identity.http;

import io.smallrye.faulttolerance.api.TypedGuard.Builder.CircuitBreakerBuilder;
import java.time.temporal.ChronoUnit;
import java.util.function.Consumer;

/**
 * Configures a circuit breaker for calls to another service. The breaker opens only if all of the last calls failed.
 *
 * <p>A lower failure ratio would be wrong for two reasons. SmallRye counts the last calls, however old they are, so
 * failures of a past outage could open the breaker after the service has recovered. And if one of two replicas of the
 * service failed, the breaker would also stop calls to the healthy replica.
 */
public final class Breaker {
    private static final double FAILURE_RATIO_ALL = 1;

    private Breaker() {}

    /**
     * Returns the configuration of a breaker.
     *
     * @param failures consecutive failures that open the breaker
     * @param openMs time for which an open breaker fails calls at once, in milliseconds
     */
    public static <T> Consumer<CircuitBreakerBuilder<T>> after(int failures, long openMs) {
        return breaker -> breaker.requestVolumeThreshold(failures).failureRatio(FAILURE_RATIO_ALL)
                .delay(openMs, ChronoUnit.MILLIS);
    }
}
