package io.berth.placement.inventory;

import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.databind.JsonNode;
import io.berth.placement.fleet.Capacity;
import io.berth.placement.fleet.Inventories;
import java.io.IOException;
import java.math.BigDecimal;

/**
 * How much of one resource class a provider offers, and how it may be taken.
 *
 * @param total 1 to 2^31 - 1, units of the class
 * @param reserved 0 to 2^31 - 1, not to be allocated
 * @param minUnit 1 to 2^31 - 1, least amount of one allocation
 * @param maxUnit 1 to 2^31 - 1, greatest amount of one allocation
 * @param stepSize 1 to 2^31 - 1, amounts are multiples of it
 * @param allocationRatio over-commit factor, up to the largest 32-bit float
 * @param wholeRatio the client wrote the ratio as an integer, and the answer to that repeats it so, as upstream does
 */
record Inventory(
        int total, int reserved, int minUnit, int maxUnit, int stepSize, double allocationRatio, boolean wholeRatio) {

    /** From a body that its schema allowed; what is absent has upstream's default. */
    static Inventory of(JsonNode body) {
        return new Inventory(
                body.get("total").intValue(),
                body.path("reserved").asInt(0),
                body.path("min_unit").asInt(1),
                body.path("max_unit").asInt(Integer.MAX_VALUE),
                body.path("step_size").asInt(1),
                body.path("allocation_ratio").asDouble(1.0),
                body.path("allocation_ratio").isIntegralNumber());
    }

    static Inventory of(Inventories inventories, int position) {
        return new Inventory(
                inventories.total()[position],
                inventories.reserved()[position],
                inventories.minUnit()[position],
                inventories.maxUnit()[position],
                inventories.stepSize()[position],
                inventories.allocationRatio()[position],
                false);
    }

    /** What can be allocated in all, in whole units. */
    double wholeCapacity() {
        return Capacity.whole(Capacity.of(total, reserved, allocationRatio));
    }

    /** Writes the members, not the object around them. */
    void write(JsonGenerator json) throws IOException {
        json.writeNumberField("total", total);
        json.writeNumberField("reserved", reserved);
        json.writeNumberField("min_unit", minUnit);
        json.writeNumberField("max_unit", maxUnit);
        json.writeNumberField("step_size", stepSize);
        if (wholeRatio) {
            json.writeNumberField("allocation_ratio", new BigDecimal(allocationRatio).toBigInteger());
        } else {
            json.writeNumberField("allocation_ratio", allocationRatio);
        }
    }
}
