package io.berth.scheduler.request;

import io.berth.scheduler.config.Options;
import io.berth.scheduler.numa.FlavorAndImage;
import io.berth.scheduler.numa.InstanceNuma;
import io.berth.scheduler.numa.constraint.NumaConstraints;
import io.berth.scheduler.pci.PciConstraints;
import io.berth.scheduler.pci.PciRequest;
import io.berth.scheduler.text.DerivedValue;
import java.util.List;
import java.util.function.Supplier;

/**
 * Derives the parts of a request that its flavor and image imply: known image properties, NUMA topology, PCI requests.
 * An invalid or contradictory flavor or image is an error of the request.
 * <br>Source: nova {@code objects/request_spec.py}, {@code compute/api.py}.
 */
public final class Constraints {
    private Constraints() {}

    /** Selects the parts to derive: those that the request does not contain itself. */
    public record Open(boolean numaTopology, boolean pciRequests) {}

    /**
     * Returns the request with known image properties and the selected parts.
     *
     * @param requestIds creates an id for each derived PCI request
     */
    public static DerivedValue<RequestSpec> derive(
            RequestSpec spec, Open open, Options options, Supplier<String> requestIds) {
        return readImage(spec)
                .then(withImage -> open.numaTopology()
                        ? deriveTopology(withImage)
                        : new DerivedValue.Value<>(withImage))
                .then(withTopology -> open.pciRequests()
                        ? derivePciRequests(withTopology, options, requestIds)
                        : new DerivedValue.Value<>(withTopology));
    }

    private static DerivedValue<RequestSpec> readImage(RequestSpec spec) {
        if (spec.image() == null) {
            return new DerivedValue.Value<>(spec);
        }
        return switch (ImageProperties.read(spec.image().properties())) {
            case ImageReading.Read(ImageProperties properties) -> new DerivedValue.Value<>(
                    spec.toBuilder().imageProperties(properties).build());
            case ImageReading.Unreadable(String detail) -> new DerivedValue.Refused<>(detail);
        };
    }

    private static DerivedValue<RequestSpec> deriveTopology(RequestSpec spec) {
        return NumaConstraints.derive(flavorAndImage(spec))
                .then((InstanceNuma topology) -> new DerivedValue.Value<>(
                        spec.toBuilder().numaTopology(topology).build()));
    }

    private static DerivedValue<RequestSpec> derivePciRequests(
            RequestSpec spec, Options options, Supplier<String> requestIds) {
        return PciConstraints.derive(flavorAndImage(spec), options.pci().alias(), requestIds)
                .then((List<PciRequest> requests) -> new DerivedValue.Value<>(
                        spec.toBuilder().pciRequests(requests).build()));
    }

    private static FlavorAndImage flavorAndImage(RequestSpec spec) {
        return new FlavorAndImage(
                spec.flavor().extraSpecs(),
                spec.imageProperties().values(),
                (int) Math.min(spec.flavor().vcpus(), Integer.MAX_VALUE),
                spec.flavor().memoryMb());
    }
}
