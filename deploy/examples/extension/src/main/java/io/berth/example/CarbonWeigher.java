package io.berth.example;

import io.berth.scheduler.config.Options;
import io.berth.scheduler.host.HostState;
import io.berth.scheduler.request.RequestSpec;
import io.berth.scheduler.spi.HostWeigher;
import jakarta.inject.Singleton;

/**
 * Grams of CO2 per kWh, negated: the cleanest host is the heaviest. A host that states no figure counts as the dirtiest
 * power there is.
 *
 * <p>Multiplier: {@code carbon_weight_multiplier} of the host's aggregates, else {@value #MULTIPLIER}.
 */
@Singleton
public final class CarbonWeigher implements HostWeigher {
    private static final double MULTIPLIER = 10.0;
    /** Brown coal; grams of CO2 per kWh. */
    private static final double DIRTIEST = 1_200;

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
        return -(Double.isNaN(grams) ? DIRTIEST : grams);
    }
}
