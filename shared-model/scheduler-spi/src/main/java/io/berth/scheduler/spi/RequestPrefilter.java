package io.berth.scheduler.spi;

import io.berth.scheduler.request.demand.PlacementRequest;

/**
 * Changes a request before the query to placement is built. Prefilters run once per request, in a fixed order, each on
 * the result of the previous prefilter. A prefilter that does not concern a request returns the request unchanged.
 *
 * <p>A prefilter must be pure and fast, because every request passes through it. It must not throw: {@link
 * PrefilterResult.Refused} ends the request with "no valid host", {@link PrefilterResult.Invalid} ends it as an invalid
 * request (400).
 */
public interface RequestPrefilter {
    /** Returns the name for logs and explanations. As in nova, it is the name of the class in snake case. */
    default String name() {
        return SnakeCase.NAMES.get(getClass());
    }

    /**
     * Returns the changed or unchanged request, or the reason why the request ends here.
     *
     * @param request the result of the previous prefilter
     */
    PrefilterResult apply(PlacementRequest request, PrefilterInputs inputs);
}
