package io.berth.scheduler.prefilter;

import io.berth.scheduler.request.demand.PlacementRequest;
import io.berth.scheduler.spi.PrefilterInputs;
import io.berth.scheduler.spi.PrefilterResult;
import io.berth.scheduler.spi.RequestPrefilter;
import java.util.Set;

/**
 * Excludes hosts whose root provider has the trait COMPUTE_STATUS_DISABLED, because their compute service is disabled.
 * No option disables this prefilter.
 */
final class ComputeStatusFilter implements RequestPrefilter {
    @Override
    public PrefilterResult apply(PlacementRequest request, PrefilterInputs inputs) {
        return new PrefilterResult.Continue(request.withRootForbidden(Set.of("COMPUTE_STATUS_DISABLED")));
    }
}
