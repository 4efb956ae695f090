package io.berth.http;

import io.quarkus.runtime.configuration.MemorySize;
import jakarta.inject.Singleton;
import java.time.Duration;
import org.eclipse.microprofile.config.inject.ConfigProperty;

/**
 * The limits of a request's body: its size, in bytes, and the time in which it must arrive.
 *
 * <p>Options: {@code berth.body-size-max} for most routes, {@code quarkus.http.limits.max-body-size} for the few whose
 * bodies describe a whole fleet; {@code berth.body-time-max}.
 */
@Singleton
public class BodyLimits {
    private final long general;
    private final long large;
    private final Duration arrivesWithin;

    /**
     * @param general the largest body of most routes; a larger one is 413
     * @param large the same for the routes that take whole fleets
     * @param arrivesWithin the time limit of a head from its first byte, and then of a body; after it the connection is
     *         closed
     */
    BodyLimits(
            @ConfigProperty(name = "berth.body-size-max", defaultValue = "4M") MemorySize general,
            @ConfigProperty(name = "quarkus.http.limits.max-body-size") MemorySize large,
            @ConfigProperty(name = "berth.body-time-max", defaultValue = "30S") Duration arrivesWithin) {
        this.large = large.asLongValue();
        this.general = Math.min(general.asLongValue(), this.large);
        this.arrivesWithin = arrivesWithin;
    }

    public long general() {
        return general;
    }

    public long large() {
        return large;
    }

    /**
     * Returns the time limit of a request's head, from its first byte, and again of its body, from the end of the head.
     */
    public Duration arrivesWithin() {
        return arrivesWithin;
    }
}
