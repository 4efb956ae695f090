package io.berth.scheduler.pci;

import jakarta.annotation.Nullable;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * A set of identical devices of a host.
 *
 * @param vendorId four hexadecimal digits
 * @param productId four hexadecimal digits
 * @param numaNode host cell the devices are near; null if unknown
 * @param count free devices
 * @param tags everything else that the host reports of them: text, numbers, booleans, null or lists of these
 */
public record PciPool(
        @Nullable String vendorId,
        @Nullable String productId,
        @Nullable Integer numaNode,
        int count,
        Map<String, ?> tags) {

    public PciPool {
        // Map.copyOf would reject a null tag.
        tags = Collections.unmodifiableMap(new LinkedHashMap<>(tags));
    }

    /** Returns the provider whose inventory the devices are, null if they are not in placement. */
    public @Nullable String resourceProvider() {
        return tags.get("rp_uuid") instanceof String uuid ? uuid : null;
    }

    /** Returns a member by its wire name, tags included; null if absent. */
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
