package io.berth.placement.inventory;

import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.databind.JsonNode;
import io.berth.placement.fleet.Inventories;
import io.berth.placement.fleet.Inventory;
import io.berth.placement.fleet.NameCatalogue;
import io.berth.placement.http.Json;
import java.io.IOException;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;

/**
 * An inventory as in request and response bodies.
 *
 * @param isWholeRatio whether the client wrote the allocation ratio as an integer; the response to this client then has
 *         an integer, too, as in upstream
 */
public record InventoryJson(Inventory inventory, boolean isWholeRatio) {
    /** Converts JSON that has passed its schema. Absent members get upstream's defaults. */
    public static InventoryJson parse(JsonNode body) {
        JsonNode ratio = body.path("allocation_ratio");
        Inventory inventory = new Inventory(
                body.get("total").intValue(),
                body.path("reserved").asInt(0),
                body.path("min_unit").asInt(1),
                body.path("max_unit").asInt(Integer.MAX_VALUE),
                body.path("step_size").asInt(1),
                ratio.asDouble(1.0));
        return new InventoryJson(inventory, ratio.isIntegralNumber());
    }

    /**
     * Writes a provider's inventories for Berth's own routes, as an object keyed by resource class. Each inventory has
     * the members of the Placement API, and {@code capacity} and {@code used}.
     */
    public static void write(JsonGenerator json, Inventories inventories, NameCatalogue resourceClasses)
            throws IOException {
        json.writeStartObject();
        for (int i = 0; i < inventories.size(); i++) {
            Inventory inventory = inventories.get(i);
            json.writeObjectFieldStart(resourceClasses.name(inventories.classIds()[i]));
            new InventoryJson(inventory, false).write(json);
            json.writeNumberField("capacity", (long) Inventory.truncate(inventory.capacity()));
            json.writeNumberField("used", inventories.used()[i]);
            json.writeEndObject();
        }
        json.writeEndObject();
    }

    /** Returns the inventory as a JSON object, with the ratio as a decimal fraction. */
    static String text(Inventory inventory) {
        return new String(Json.writeObject(new InventoryJson(inventory, false)::write), StandardCharsets.UTF_8);
    }

    /** Writes the members of the inventory, into an object that the caller has begun. */
    void write(JsonGenerator json) throws IOException {
        json.writeNumberField("total", inventory.total());
        json.writeNumberField("reserved", inventory.reserved());
        json.writeNumberField("min_unit", inventory.minUnit());
        json.writeNumberField("max_unit", inventory.maxUnit());
        json.writeNumberField("step_size", inventory.stepSize());
        if (isWholeRatio) {
            json.writeNumberField("allocation_ratio", new BigDecimal(inventory.allocationRatio()).toBigInteger());
        } else {
            json.writeNumberField("allocation_ratio", inventory.allocationRatio());
        }
    }
}
