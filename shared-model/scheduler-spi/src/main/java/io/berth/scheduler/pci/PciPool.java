package io.berth.scheduler.pci;

import jakarta.annotation.Nullable;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * The free devices of a host that are equal.
 *
 * @param vendorId four hexadecimal digits
 * @param productId four hexadecimal digits
 * @param numaNode id of the host cell that the devices are near; null if unknown
 * @param count free devices
 * @param tags all other attributes that the host reports: text, numbers, booleans, null or lists of these
 */
public record PciPool(
        @Nullable String vendorId,
        @Nullable String productId,
        @Nullable Integer numaNode,
        int count,
        Map<String, ?> tags) {

    public PciPool {
        // Does not use Map.copyOf, because a tag may be null.
        tags = Collections.unmodifiableMap(new LinkedHashMap<>(tags));
    }

    /**
     * Returns the uuid of the resource provider that has the devices in its inventory; null if they are not in
     * placement.
     */
    public @Nullable String resourceProvider() {
        return tags.get("rp_uuid") instanceof String uuid ? uuid : null;
    }

    /** Returns a member or a tag by its wire name; null if it is absent. */
    @Nullable Object member(String name) {
        return switch (name) {
            case "vendor_id" -> vendorId;
            case "product_id" -> productId;
            case "numa_node" -> numaNode;
            case "count" -> count;
            default -> tags.get(name);
        };
    }

    PciPool withCount(int free) {
        return new PciPool(vendorId, productId, numaNode, free, tags);
    }
}
