package io.berth.scheduler.prefilter;

import io.berth.model.StandardTraits;
import io.berth.scheduler.request.demand.PlacementRequest;
import io.berth.scheduler.spi.PrefilterInputs;
import io.berth.scheduler.spi.PrefilterResult;
import io.berth.scheduler.spi.RequestPrefilter;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.jboss.logging.Logger;

/**
 * Requires the traits for the disk buses, device models and architectures that an image's properties name.
 *
 * <p>Option: {@code [scheduler] image_metadata_prefilter}, default false. If one of the names has no standard trait,
 * logs this and requires no trait at all.
 */
final class TransformImageMetadata implements RequestPrefilter {
    private static final Logger LOG = Logger.getLogger(TransformImageMetadata.class);
    private static final Map<String, String> PREFIX_BY_PROPERTY = Map.of(
            "hw_cdrom_bus", "COMPUTE_STORAGE_BUS_",
            "hw_disk_bus", "COMPUTE_STORAGE_BUS_",
            "hw_video_model", "COMPUTE_GRAPHICS_MODEL_",
            "hw_vif_model", "COMPUTE_NET_VIF_MODEL_",
            "hw_architecture", "HW_ARCH_",
            "hw_emulation_architecture", "COMPUTE_ARCH_",
            "hw_viommu_model", "COMPUTE_VIOMMU_");

    @Override
    public PrefilterResult apply(PlacementRequest request, PrefilterInputs inputs) {
        if (!inputs.options().imageMetadataPrefilter()) {
            return new PrefilterResult.Continue(request);
        }
        Set<String> traits = new TreeSet<>();
        PREFIX_BY_PROPERTY.forEach((property, prefix) -> {
            String value = request.flavorAndImage().image(property);
            if (value != null) {
                traits.add(prefix + value.toUpperCase(Locale.ROOT).replace('-', '_'));
            }
        });
        for (String trait : traits) {
            if (!StandardTraits.NAMES.contains(trait)) {
                LOG.errorf("no standard trait for an image property trait=%s", trait);
                return new PrefilterResult.Continue(request);
            }
        }
        return PrefilterResult.requireOnRoot(request, traits);
    }
}
