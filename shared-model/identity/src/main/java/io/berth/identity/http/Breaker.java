package io.berth.identity.http;

import io.smallrye.faulttolerance.api.TypedGuard.Builder.CircuitBreakerBuilder;
import java.time.temporal.ChronoUnit;
import java.util.function.Consumer;

/**
 * Configures the circuit breaker for calls to another service: it opens if all of the last calls failed. SmallRye
 * counts the last calls, however long ago they were. With a failure ratio of a half, failures from an outage could open
 * the breaker after the service is back, and one failed replica of two would exclude the other.
 */
public final class Breaker {
    private static final double ALL = 1;

    private Breaker() {}

    /**
     * Returns the configuration of a breaker.
     *
     * @param failures consecutive failures that open the breaker
     * @param openMs how long calls then fail at once, in milliseconds
     */
    public static <T> Consumer<CircuitBreakerBuilder<T>> after(int failures, long openMs) {
        return breaker -> breaker.requestVolumeThreshold(failures).failureRatio(ALL).delay(openMs, ChronoUnit.MILLIS);
    }
}
