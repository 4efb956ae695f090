package io.berth.scheduler.placementsync;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;

/** An inventory of one resource class of a provider in placement, in the units of the class. */
record Inventory(long total, long reserved, long minUnit, long maxUnit, long stepSize, double allocationRatio) {
    static Inventory read(JsonNode json) {
        return new Inventory(
                json.path("total").asLong(),
                json.path("reserved").asLong(),
                json.path("min_unit").asLong(),
                json.path("max_unit").asLong(),
                json.path("step_size").asLong(),
                json.path("allocation_ratio").asDouble());
    }

    void render(ObjectNode json) {
        json.put("total", total)
                .put("reserved", reserved)
                .put("min_unit", minUnit)
                .put("max_unit", maxUnit)
                .put("step_size", stepSize)
                .put("allocation_ratio", allocationRatio);
    }
}
