package io.berth.example;

import io.berth.scheduler.config.Options;
import io.berth.scheduler.host.HostState;
import io.berth.scheduler.request.RequestSpec;
import io.berth.scheduler.spi.HostWeigher;
import jakarta.inject.Singleton;

/**
 * Prefers hosts with clean power: the raw value is the negated number of grams of CO2 per kWh. A host of unknown carbon
 * intensity gets the value of brown coal.
 *
 * <p>Multiplier: {@code carbon_weight_multiplier} of the host's aggregates, else {@value #MULTIPLIER}.
 */
@Singleton
public final class CarbonWeigher implements HostWeigher {
    private static final double MULTIPLIER = 10.0;
    /** The carbon intensity of brown coal, in grams of CO2 per kWh. */
    private static final double BROWN_COAL = 1_200;

    @Override
    public String aggregateKey() {
        return "carbon_weight_multiplier";
    }

    @Override
    public double configuredMultiplier(Options options) {
        return MULTIPLIER;
    }

    @Override
    public double raw(HostState host, RequestSpec spec, Options options) {
        double grams = Carbon.gramsPerKwh(host);
        return -(Double.isNaN(grams) ? BROWN_COAL : grams);
    }
}
