package io.berth.scheduler.prefilter;

import io.berth.scheduler.request.demand.PlacementRequest;
import io.berth.scheduler.request.query.FlavorImageProperty;
import io.berth.scheduler.spi.PrefilterInputs;
import io.berth.scheduler.spi.PrefilterResult;
import io.berth.scheduler.spi.RequestPrefilter;
import java.util.Locale;
import java.util.Set;

/**
 * Requires the trait COMPUTE_EPHEMERAL_ENCRYPTION if the flavor or the image requests encrypted local disks. If flavor
 * or image then name a format, such as luks, also requires the trait of the format, such as
 * COMPUTE_EPHEMERAL_ENCRYPTION_LUKS. If flavor and image contradict each other, the request fails.
 */
final class EphemeralEncryptionFilter implements RequestPrefilter {
    @Override
    public PrefilterResult apply(PlacementRequest request, PrefilterInputs inputs) {
        return PrefilterResult.of(FlavorImageProperty.flag(request.flavorAndImage(), "ephemeral_encryption"),
                wanted -> {
                    if (!wanted) {
                        return new PrefilterResult.Continue(request);
                    }
                    return PrefilterResult.of(
                            FlavorImageProperty.text(request.flavorAndImage(), "ephemeral_encryption_format"),
                            format -> PrefilterResult.requireOnRoot(request, traits(format)));
                });
    }

    private static Set<String> traits(String format) {
        return format == null
                ? Set.of("COMPUTE_EPHEMERAL_ENCRYPTION")
                : Set.of(
                        "COMPUTE_EPHEMERAL_ENCRYPTION",
                        "COMPUTE_EPHEMERAL_ENCRYPTION_" + format.toUpperCase(Locale.ROOT));
    }
}
