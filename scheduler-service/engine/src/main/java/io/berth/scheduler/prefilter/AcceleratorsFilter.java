package io.berth.scheduler.prefilter;

import io.berth.scheduler.request.demand.PlacementRequest;
import io.berth.scheduler.spi.PrefilterInputs;
import io.berth.scheduler.spi.PrefilterResult;
import io.berth.scheduler.spi.RequestPrefilter;
import java.util.Set;

/** Requires the trait COMPUTE_ACCELERATORS if the flavor names a device profile ({@code accel:device_profile}). */
final class AcceleratorsFilter implements RequestPrefilter {
    @Override
    public PrefilterResult apply(PlacementRequest request, PrefilterInputs inputs) {
        return request.flavorAndImage().flavor("accel:device_profile") == null
                ? new PrefilterResult.Continue(request)
                : PrefilterResult.requireOnRoot(request, Set.of("COMPUTE_ACCELERATORS"));
    }
}
