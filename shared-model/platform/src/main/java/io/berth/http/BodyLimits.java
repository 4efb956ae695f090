package io.berth.http;

import io.quarkus.runtime.configuration.MemorySize;
import jakarta.inject.Singleton;
import java.time.Duration;
import org.eclipse.microprofile.config.inject.ConfigProperty;

/**
 * The limits of a request: the size of its body in bytes, and the time within which its head and its body must arrive.
 *
 * <p>Options: {@code berth.body-size-max} for most routes, {@code quarkus.http.limits.max-body-size} for the few routes
 * whose bodies describe a whole fleet, and {@code berth.body-time-max}.
 */
@Singleton
public class BodyLimits {
    private final long generalBytesMax;
    private final long largeBytesMax;
    private final Duration arrivalTimeMax;

    /**
     * @param general maximum size of a body of most routes, at most that of {@code quarkus.http.limits.max-body-size};
     *         a larger one gets 413
     * @param large maximum size of a body of the routes that accept whole fleets; a larger one gets 413
     * @param arrivesWithin maximum time between the first and the last byte of a request's head, and again of its body;
     *         then the connection is closed
     */
    BodyLimits(
            @ConfigProperty(name = "berth.body-size-max", defaultValue = "4M") MemorySize general,
            @ConfigProperty(name = "quarkus.http.limits.max-body-size") MemorySize large,
            @ConfigProperty(name = "berth.body-time-max", defaultValue = "30S") Duration arrivesWithin) {
        this.largeBytesMax = large.asLongValue();
        this.generalBytesMax = Math.min(general.asLongValue(), this.largeBytesMax);
        this.arrivalTimeMax = arrivesWithin;
    }

    /** Returns the maximum size of a body of most routes, in bytes. */
    public long generalBytesMax() {
        return generalBytesMax;
    }

    /** Returns the maximum size of a body of the routes that accept whole fleets, in bytes. */
    public long largeBytesMax() {
        return largeBytesMax;
    }

    /**
     * Returns the time limit of a request's head, from its first byte, and again of its body, from the end of the head.
     * No connection is closed for this limit while the service itself has paused reading.
     */
    public Duration arrivalTimeMax() {
        return arrivalTimeMax;
    }
}
