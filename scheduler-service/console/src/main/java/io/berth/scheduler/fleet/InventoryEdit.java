package io.berth.scheduler.fleet;

import com.fasterxml.jackson.databind.JsonNode;
import io.berth.scheduler.http.ApiFault;
import io.berth.scheduler.json.StrictObject;
import jakarta.annotation.Nullable;

/**
 * An operator's change of an inventory in placement.
 *
 * @param generation the provider's generation that the operator read
 * @param allocationRatio above 0; null: unchanged
 * @param reserved 0 to 2^31 - 1, in units of the resource class; null: unchanged
 */
record InventoryEdit(int generation, @Nullable Double allocationRatio, @Nullable Long reserved) {
    /**
     * Reads and validates the body. Throws {@link ApiFault} (400) for an invalid body, and for
     * a body with neither {@code allocation_ratio} nor {@code reserved}.
     */
    static InventoryEdit read(JsonNode body) {
        var object = new StrictObject(body, "$");
        Integer generation = object.integerOrNull("resource_provider_generation");
        if (generation == null) {
            throw object.invalid("resource_provider_generation", "is required");
        }
        boolean hasRatio = object.anyValue("allocation_ratio") != null;
        double ratio = object.number("allocation_ratio", 0);
        if (hasRatio && ratio <= 0) {
            throw object.invalid("allocation_ratio", "must be above 0");
        }
        Long reserved = object.longWithin("reserved", 0, Integer.MAX_VALUE);
        object.refuseUnreadMembers();
        if (!hasRatio && reserved == null) {
            throw ApiFault.invalid("$: must have allocation_ratio or reserved");
        }
        return new InventoryEdit(generation, hasRatio ? ratio : null, reserved);
    }
}
