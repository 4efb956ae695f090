package io.berth.scheduler.pci;

import jakarta.annotation.Nullable;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Free devices of a host that have the same attributes.
 *
 * @param vendorId four hexadecimal digits; null if unknown
 * @param productId four hexadecimal digits; null if unknown
 * @param numaNode id of the host's NUMA cell to which the devices belong; null if unknown
 * @param count number of free devices
 * @param tags all other attributes that the host reports, by name: text, numbers, booleans, null or lists of these
 */
public record PciPool(
        @Nullable String vendorId,
        @Nullable String productId,
        @Nullable Integer numaNode,
        int count,
        Map<String, ?> tags) {

    public PciPool {
        // Map.copyOf would refuse a null value, which a tag may have.
        tags = Collections.unmodifiableMap(new LinkedHashMap<>(tags));
    }

    /**
     * Returns the uuid of the resource provider whose inventory contains the devices; null if they are not in
     * placement.
     */
    public @Nullable String resourceProvider() {
        return tags.get("rp_uuid") instanceof String uuid ? uuid : null;
    }

    /** Returns the value of a member or tag by its name in JSON, such as {@code vendor_id}; null if it is absent. */
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
