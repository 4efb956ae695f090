package io.berth.http;

import io.quarkus.runtime.configuration.MemorySize;
import jakarta.inject.Singleton;
import org.eclipse.microprofile.config.inject.ConfigProperty;

/**
 * How large a request's body may be, in bytes.
 *
 * <p>Options: {@code berth.body-size-max} for most routes, {@code quarkus.http.limits.max-body-size} for the few whose
 * bodies tell of a whole fleet.
 */
@Singleton
public class BodyLimits {
    private final long general;
    private final long large;

    /**
     * @param general the largest body of most routes; larger is answered 413
     * @param large the same of the routes that take whole fleets
     */
    BodyLimits(
            @ConfigProperty(name = "berth.body-size-max", defaultValue = "4M") MemorySize general,
            @ConfigProperty(name = "quarkus.http.limits.max-body-size") MemorySize large) {
        this.large = large.asLongValue();
        this.general = Math.min(general.asLongValue(), this.large);
    }

    public long general() {
        return general;
    }

    public long large() {
        return large;
    }
}
