package io.berth.scheduler.spi;

import io.berth.scheduler.request.demand.PlacementRequest;

/**
 * Changes a request before the query to placement. Prefilters run once per request in a fixed order, each on the result
 * of the one before. Each decides from the request and the options whether it changes anything.
 *
 * <p>A prefilter must be pure and fast, because every request passes it. {@link PrefilterResult.Refused} ends the
 * request as "no valid host", {@link PrefilterResult.Invalid} as an error of the request.
 */
public interface RequestPrefilter {
    /** Returns nova's name, for logs and explanations: the class name in snake case. */
    default String name() {
        return SnakeCase.NAMES.get(getClass());
    }

    PrefilterResult apply(PlacementRequest request, PrefilterInputs inputs);
}
