package io.berth.scheduler.nova.object;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import jakarta.annotation.Nullable;
import java.util.List;
import java.util.function.UnaryOperator;

/**
 * Converts a response of {@code POST /v1/select_destinations} to nova's form: versioned objects Selection 1.1, or
 * dictionaries for old callers.
 * <br>Source: nova {@code objects/selection.py}.
 *
 * @param zoneOf returns the availability zone of the host with the given name
 * @param cell uuid of the cell for hosts whose cell is unknown; null: these hosts have no cell
 */
public record Selections(UnaryOperator<String> zoneOf, @Nullable String cell) {
    private static final JsonNodeFactory JSON = JsonNodeFactory.instance;
    private static final List<String> LIMITS = List.of("vcpu", "disk_gb", "memory_mb");

    /**
     * Converts one response.
     *
     * @param response body of the response
     * @param call the call that is replied to
     */
    public JsonNode render(JsonNode response, SelectCall call) {
        ArrayNode all = JSON.arrayNode();
        JsonNode networks = call.body().at("/request_spec/network_metadata");
        for (JsonNode ofInstance : response.path("selections")) {
            if (call.returnObjects()) {
                ArrayNode list = all.addArray();
                ofInstance.forEach(selection -> list.add(selection(selection, networks)));
            } else {
                all.add(dictionary(ofInstance.path(0), networks));
            }
        }
        return all;
    }

    private JsonNode selection(JsonNode selection, JsonNode networks) {
        ObjectNode data = JSON.objectNode();
        data.set("compute_node_uuid", selection.get("compute_node_uuid"));
        data.set("service_host", selection.get("host"));
        data.set("nodename", selection.get("nodename"));
        JsonNode cellUuid = selection.path("cell_uuid");
        data.set("cell_uuid", cellUuid.isTextual() || cell == null ? cellUuid : JSON.textNode(cell));
        data.set("limits", limits(selection.path("limits"), networks));
        // The field has the allocation request as JSON text, also if it is null.
        JsonNode claim = selection.path("allocation_request");
        data.put("allocation_request", claim.isObject() ? claim.toString() : "null");
        data.set("allocation_request_version",
                claim.isObject() ? selection.get("allocation_request_version") : JSON.nullNode());
        data.put("availability_zone", zoneOf.apply(selection.path("host").asText()));
        return object("Selection", "1.1", data);
    }

    private static JsonNode dictionary(JsonNode selection, JsonNode networks) {
        ObjectNode body = JSON.objectNode();
        body.set("host", selection.get("host"));
        body.set("nodename", selection.get("nodename"));
        ObjectNode limits = body.putObject("limits");
        JsonNode ofSelection = selection.path("limits");
        LIMITS.forEach(name -> {
            if (ofSelection.has(name)) {
                limits.set(name, ofSelection.get(name));
            }
        });
        if (ofSelection.has("numa_topology")) {
            limits.set("numa_topology", numa(ofSelection.get("numa_topology"), networks));
        }
        return body;
    }

    private static JsonNode limits(JsonNode limits, JsonNode networks) {
        ObjectNode data = JSON.objectNode();
        JsonNode numa = limits.path("numa_topology");
        data.set("numa_topology", numa.isObject() ? numa(numa, networks) : JSON.nullNode());
        LIMITS.forEach(name -> data.set(name, limits.has(name) ? limits.get(name) : JSON.nullNode()));
        return object("SchedulerLimits", "1.0", data);
    }

    /**
     * Returns the limits with which the compute node fits the NUMA topology: its allocation ratios, and the requested
     * networks.
     *
     * @param limits the member {@code numa_topology} of the host's limits
     * @param networks the member {@code network_metadata} of the request spec; not an object if there is none
     */
    private static JsonNode numa(JsonNode limits, JsonNode networks) {
        ObjectNode data = JSON.objectNode();
        data.setAll((ObjectNode) limits);
        if (networks.isObject()) {
            data.set("network_metadata", object("NetworkMetadata", "1.0", (ObjectNode) networks));
        }
        return object("NUMATopologyLimits", "1.1", data);
    }

    private static ObjectNode object(String name, String version, ObjectNode data) {
        ObjectNode object = JSON.objectNode();
        object.put("nova_object.name", name).put("nova_object.namespace", "nova").put("nova_object.version", version);
        object.set("nova_object.data", data);
        ArrayNode changes = object.putArray("nova_object.changes");
        data.fieldNames().forEachRemaining(changes::add);
        return object;
    }
}
