package io.berth.scheduler.prefilter;

import io.berth.scheduler.request.demand.PlacementRequest;
import io.berth.scheduler.request.query.Stated;
import io.berth.scheduler.spi.PrefilterInputs;
import io.berth.scheduler.spi.PrefilterResult;
import io.berth.scheduler.spi.RequestPrefilter;
import java.util.Set;

/**
 * Requires COMPUTE_NET_VIRTIO_PACKED where flavor or image want packed virtqueues ({@code virtio_packed_ring}); a
 * flavor and an image that want different things are an error.
 */
final class PackedVirtqueueFilter implements RequestPrefilter {
    @Override
    public PrefilterResult apply(PlacementRequest request, PrefilterInputs inputs) {
        return PrefilterResult.of(
                Stated.flag(request.flavorAndImage(), "virtio_packed_ring"),
                wanted -> PrefilterResult.requireOnRoot(
                        request, wanted ? Set.of("COMPUTE_NET_VIRTIO_PACKED") : Set.of()));
    }
}
