package io.berth.scheduler.pci;

import jakarta.annotation.Nullable;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * The resource providers whose devices a request must use, because the allocation candidate has allocations on them, or
 * because the request's spec names them.
 * <br>Source: nova {@code pci/stats.py} (_get_rp_uuids_for_request).
 *
 * @param deviceCounts number of devices by the provider's uuid, each at least 1; empty if no provider is required
 */
record RequiredProviders(Map<String, Integer> deviceCounts) {
    private static final RequiredProviders NONE = new RequiredProviders(Map.of());

    RequiredProviders {
        deviceCounts = Map.copyOf(deviceCounts);
    }

    /**
     * Returns the providers that the candidate's mappings name for the request, none for a request without an id.
     * Without mappings, returns the providers that the first alternative of the request's spec names ({@code
     * rp_uuids}). No provider is required for a network port.
     *
     * @param mappings the candidate's provider uuids by the suffix of the request group; null or empty if there is no
     *         candidate
     */
    static RequiredProviders of(PciRequest request, @Nullable Map<String, List<String>> mappings) {
        if (request.aliasName() == null) {
            // The devices of network ports are not in placement.
            return NONE;
        }
        return mappings == null || mappings.isEmpty() ? ofSpec(request) : ofMappings(request, mappings);
    }

    boolean isEmpty() {
        return deviceCounts.isEmpty();
    }

    /** Returns the number of devices to take from a provider; 0 if the provider is null or not required. */
    int deviceCount(@Nullable String provider) {
        return provider == null ? 0 : deviceCounts.getOrDefault(provider, 0);
    }

    private static RequiredProviders ofSpec(PciRequest request) {
        Object listed = request.spec().isEmpty() ? null : request.spec().getFirst().get("rp_uuids");
        return listed instanceof String text && !text.isEmpty() ? countDevices(List.of(text.split(",", -1))) : NONE;
    }

    /** Reads the mappings whose suffixes begin with the request's id; the query has one group for each device. */
    private static RequiredProviders ofMappings(PciRequest request, Map<String, List<String>> mappings) {
        if (request.requestId() == null) {
            return NONE;
        }
        return countDevices(mappings.entrySet().stream()
                .filter(group -> group.getKey().startsWith(request.requestId()) && !group.getValue().isEmpty())
                .map(group -> group.getValue().getFirst())
                .toList());
    }

    /** Counts one device for each occurrence of a provider's uuid. */
    private static RequiredProviders countDevices(List<String> providers) {
        var counts = new HashMap<String, Integer>();
        providers.forEach(provider -> counts.merge(provider, 1, Integer::sum));
        return new RequiredProviders(counts);
    }
}
