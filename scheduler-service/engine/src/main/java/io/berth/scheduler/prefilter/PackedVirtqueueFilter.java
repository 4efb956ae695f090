package io.berth.scheduler.prefilter;

import io.berth.scheduler.request.demand.PlacementRequest;
import io.berth.scheduler.request.query.FlavorImageProperty;
import io.berth.scheduler.spi.PrefilterInputs;
import io.berth.scheduler.spi.PrefilterResult;
import io.berth.scheduler.spi.RequestPrefilter;
import java.util.Set;

/**
 * Requires the trait COMPUTE_NET_VIRTIO_PACKED if the flavor or the image requests packed virtqueues ({@code
 * virtio_packed_ring}). If flavor and image contradict each other, the request fails.
 */
final class PackedVirtqueueFilter implements RequestPrefilter {
    @Override
    public PrefilterResult apply(PlacementRequest request, PrefilterInputs inputs) {
        return PrefilterResult.of(
                FlavorImageProperty.flag(request.flavorAndImage(), "virtio_packed_ring"),
                wanted -> PrefilterResult.requireOnRoot(
                        request, wanted ? Set.of("COMPUTE_NET_VIRTIO_PACKED") : Set.of()));
    }
}
