package io.berth.scheduler.spi;

import io.berth.scheduler.request.demand.PlacementRequest;

/**
 * Changes a request before placement is queried. Called once per request, in a fixed order, each on the result of the
 * one before; it decides itself, from the request and the options, whether it applies.
 *
 * <p>Must be pure and fast: it sees every request. {@link PrefilterResult.Refused} ends the request as "no valid host",
 * {@link PrefilterResult.Invalid} as an error of the request.
 */
public interface RequestPrefilter {
    /** Returns nova's name, for logs and explanations: that of the class in snake case. */
    default String name() {
        return SnakeCase.NAMES.get(getClass());
    }

    PrefilterResult apply(PlacementRequest request, PrefilterInputs inputs);
}
