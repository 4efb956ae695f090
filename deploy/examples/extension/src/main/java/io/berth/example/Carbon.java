package io.berth.example;

import io.berth.scheduler.host.AggregateMetadata;
import io.berth.scheduler.host.HostState;

/** The power of a host, as its aggregates give it. */
final class Carbon {
    static final String METADATA_KEY = "carbon_grams_per_kwh";

    private Carbon() {}

    /** Grams of CO2 per kWh, the least that an aggregate of the host states; NaN if none does. */
    static double gramsPerKwh(HostState host) {
        return AggregateMetadata.decimal(host, METADATA_KEY, Double.NaN);
    }
}
