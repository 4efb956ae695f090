package io.berth.scheduler.prefilter;

import io.berth.model.StandardTraits;
import io.berth.scheduler.request.demand.PlacementRequest;
import io.berth.scheduler.spi.PrefilterInputs;
import io.berth.scheduler.spi.PrefilterResult;
import io.berth.scheduler.spi.RequestPrefilter;
import java.util.Locale;
import java.util.Set;
import org.jboss.logging.Logger;

/**
 * Requires the trait for the image's disk format, unless the root disk is a volume.
 *
 * <p>Option: {@code [scheduler] query_placement_for_image_type_support}, default false. If the format has no standard
 * trait, logs this and changes nothing.
 */
final class RequireImageTypeSupport implements RequestPrefilter {
    private static final Logger LOG = Logger.getLogger(RequireImageTypeSupport.class);

    @Override
    public PrefilterResult apply(PlacementRequest request, PrefilterInputs inputs) {
        if (!inputs.options().queryPlacementForImageTypeSupport()
                || request.bootFromVolume()
                || request.diskFormat() == null) {
            return new PrefilterResult.Continue(request);
        }
        String trait = "COMPUTE_IMAGE_TYPE_" + request.diskFormat().toUpperCase(Locale.ROOT);
        if (!StandardTraits.NAMES.contains(trait)) {
            LOG.errorf("no standard trait disk_format=%s", request.diskFormat());
            return new PrefilterResult.Continue(request);
        }
        return PrefilterResult.requireOnRoot(request, Set.of(trait));
    }
}
