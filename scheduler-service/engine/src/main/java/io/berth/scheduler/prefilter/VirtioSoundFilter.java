package io.berth.scheduler.prefilter;

import io.berth.scheduler.request.demand.PlacementRequest;
import io.berth.scheduler.request.query.FlavorImageProperty;
import io.berth.scheduler.spi.PrefilterInputs;
import io.berth.scheduler.spi.PrefilterResult;
import io.berth.scheduler.spi.RequestPrefilter;
import java.util.Set;

/**
 * Requires the trait COMPUTE_SOUND_MODEL_VIRTIO if the flavor or the image requests a virtio sound device. If flavor
 * and image contradict each other, the request fails.
 */
final class VirtioSoundFilter implements RequestPrefilter {
    @Override
    public PrefilterResult apply(PlacementRequest request, PrefilterInputs inputs) {
        return PrefilterResult.of(
                FlavorImageProperty.text(request.flavorAndImage(), "sound_model"),
                model -> PrefilterResult.requireOnRoot(
                        request, "virtio".equals(model) ? Set.of("COMPUTE_SOUND_MODEL_VIRTIO") : Set.of()));
    }
}
