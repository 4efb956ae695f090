package io.berth.example;

import io.berth.scheduler.host.AggregateMetadata;
import io.berth.scheduler.host.HostState;

/** Reads the carbon intensity of a host's power from the metadata of its host aggregates. */
final class Carbon {
    /** The key in the metadata of an aggregate; the value is a number of grams of CO2 per kWh. */
    static final String METADATA_KEY = "carbon_grams_per_kwh";

    private Carbon() {}

    /**
     * Returns grams of CO2 per kWh: the lowest value in the metadata of the host's aggregates; NaN if no aggregate has
     * the key, or if one of the values is not a number.
     */
    static double gramsPerKwh(HostState host) {
        return AggregateMetadata.decimal(host, METADATA_KEY, Double.NaN);
    }
}
