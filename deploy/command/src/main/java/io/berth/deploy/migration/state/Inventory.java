package io.berth.deploy.migration.state;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;

/**
 * The inventory of one resource class of a provider; amounts are in units of the class. Source: the Placement API
 * reference, "resource provider inventories".
 */
public record Inventory(int total, int reserved, int minUnit, int maxUnit, int stepSize, double allocationRatio) {
    /** An inventory that accepts every allocation that can exist in a Placement. */
    public static final Inventory BOUNDLESS = new Inventory(Integer.MAX_VALUE, 0, 1, Integer.MAX_VALUE, 1, 1000);

    static Inventory parse(JsonNode node) {
        return new Inventory(node.path("total").asInt(), node.path("reserved").asInt(), node.path("min_unit").asInt(),
                node.path("max_unit").asInt(), node.path("step_size").asInt(),
                node.path("allocation_ratio").asDouble());
    }

    public void render(ObjectNode object) {
        object.put("total", total).put("reserved", reserved).put("min_unit", minUnit).put("max_unit", maxUnit)
                .put("step_size", stepSize).put("allocation_ratio", allocationRatio);
    }

    /** Returns (total - reserved) x allocation ratio, with fractions. */
    public double capacity() {
        return ((double) total - reserved) * allocationRatio;
    }

    /** Returns whether one allocation may have this amount, by min_unit, max_unit and step_size. */
    public boolean allows(long amount) {
        return amount >= minUnit && amount <= maxUnit && amount % stepSize == 0;
    }
}
