package io.berth.scheduler.pci;

import io.berth.scheduler.text.BooleanText;
import jakarta.annotation.Nullable;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * A request for a number of identical PCI devices.
 *
 * @param requestId names the request's groups in a candidate's mappings; null matches none
 * @param count devices requested
 * @param spec alternatives, each a map of what a pool must have: text, numbers, booleans, null or lists of these
 * @param aliasName null marks a request made for a network port
 * @param numaPolicy null counts as legacy
 */
public record PciRequest(
        @Nullable String requestId,
        int count,
        List<Map<String, ?>> spec,
        @Nullable String aliasName,
        @Nullable PciNumaPolicy numaPolicy) {
    static final String REMOTE_MANAGED = "remote_managed";

    public PciRequest {
        spec = spec.stream().<Map<String, ?>>map(PciRequest::unmodifiable).toList();
    }

    /** Returns whether a SmartNIC manages the requested device. */
    public boolean isRemoteManaged() {
        return spec.stream().anyMatch(alternative -> BooleanText.isTrue(alternative.get(REMOTE_MANAGED)));
    }

    /** Avoids Map.copyOf, which rejects a null value. */
    private static Map<String, ?> unmodifiable(Map<String, ?> alternative) {
        return Collections.unmodifiableMap(new LinkedHashMap<>(alternative));
    }
}
