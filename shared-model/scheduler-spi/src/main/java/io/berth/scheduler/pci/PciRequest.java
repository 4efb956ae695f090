package io.berth.scheduler.pci;

import io.berth.scheduler.text.BooleanText;
import jakarta.annotation.Nullable;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * A request for a number of PCI devices of the same kind.
 *
 * @param requestId id of the request; null if it has none. If the devices are in placement, the request has one request
 *         group for each device; the suffix of the group, in the query and in a candidate's mappings, begins with the
 *         id. A request without an id has no groups
 * @param count number of devices requested
 * @param spec alternatives, of which a pool must match one. Each is a map from attributes that the pool must have to
 *         their values: text, numbers, booleans, null or lists of these
 * @param aliasName name of the alias; null if the request is for a network port
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

    /** Returns whether the request is for a device that a SmartNIC manages. */
    public boolean isRemoteManaged() {
        return spec.stream().anyMatch(alternative -> BooleanText.isTrue(alternative.get(REMOTE_MANAGED)));
    }

    /** Returns an unmodifiable copy. Map.copyOf would refuse null values. */
    private static Map<String, ?> unmodifiable(Map<String, ?> alternative) {
        return Collections.unmodifiableMap(new LinkedHashMap<>(alternative));
    }
}
