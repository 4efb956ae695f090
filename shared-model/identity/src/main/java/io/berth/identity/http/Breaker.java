package io.berth.identity.http;

import io.smallrye.faulttolerance.api.TypedGuard.Builder.CircuitBreakerBuilder;
import java.time.temporal.ChronoUnit;
import java.util.function.Consumer;

/**
 * When calls to another service are kept back: all of the last ones must have failed. SmallRye counts calls and does not
 * date them: with half of them, what failed while the service was away opens the breaker once it is back and answers, and
 * one replica in two that is away shuts out the other.
 */
public final class Breaker {
    private static final double ALL = 1;

    private Breaker() {}

    /**
     * @param failures in a row, from which on calls fail at once
     * @param openMs for so long, in milliseconds
     */
    public static <T> Consumer<CircuitBreakerBuilder<T>> after(int failures, long openMs) {
        return breaker -> breaker.requestVolumeThreshold(failures).failureRatio(ALL).delay(openMs, ChronoUnit.MILLIS);
    }
}
