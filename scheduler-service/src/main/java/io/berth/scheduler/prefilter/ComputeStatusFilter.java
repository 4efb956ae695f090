package io.berth.scheduler.prefilter;

import io.berth.scheduler.request.query.PlacementRequest;
import java.util.Set;

/**
 * Keeps away from hosts whose compute service is disabled: they carry COMPUTE_STATUS_DISABLED. Always on.
 */
final class ComputeStatusFilter implements RequestPrefilter {
    @Override
    public String name() {
        return "compute_status_filter";
    }

    @Override
    public PrefilterResult apply(PlacementRequest request, PrefilterInputs inputs) {
        return new PrefilterResult.Continue(request.withRootForbidden(Set.of("COMPUTE_STATUS_DISABLED")));
    }
}
