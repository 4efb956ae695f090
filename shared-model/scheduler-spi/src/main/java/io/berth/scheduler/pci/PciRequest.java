package io.berth.scheduler.pci;

import io.berth.scheduler.text.BooleanText;
import jakarta.annotation.Nullable;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * A request for a number of equal PCI devices.
 *
 * @param requestId the prefix of the request's groups in a candidate's mappings; null if it has no groups
 * @param count number of devices requested
 * @param spec alternatives, each a map of the members that a pool must have, with their values: text, numbers,
 *         booleans, null or lists of these
 * @param aliasName null if the request is for a network port
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

    /** Returns whether it requests a device that a SmartNIC manages. */
    public boolean isRemoteManaged() {
        return spec.stream().anyMatch(alternative -> BooleanText.isTrue(alternative.get(REMOTE_MANAGED)));
    }

    /** Does not use Map.copyOf, because a value may be null. */
    private static Map<String, ?> unmodifiable(Map<String, ?> alternative) {
        return Collections.unmodifiableMap(new LinkedHashMap<>(alternative));
    }
}
