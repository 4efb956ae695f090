package io.berth.deploy.list;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.berth.deploy.http.RestClient;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * Converts a response of {@code GET /v1/fleet} into one object per host. In the response, each member is a column: an
 * array with one value per host. A column whose values many hosts share has, instead of each value, its index in
 * another array of the response.
 */
final class Hosts {
    /**
     * The columns that have indexes, each with the array of the values: {@code state} has indexes into {@code states}.
     */
    private static final Map<String, String> VALUES_OF_INDEXED = Map.of(
            "state", "states", "zone", "zones", "cell", "cells", "host_aggregates", "host_aggregate_sets", "traits",
            "trait_sets");

    private Hosts() {}

    /**
     * Returns the hosts in the order of the response. Each has the columns that this method lists, and for each
     * resource class its capacity and its use, such as {@code VCPU} and {@code VCPU_used}.
     */
    static List<ObjectNode> rows(JsonNode fleet) {
        List<ObjectNode> rows = new ArrayList<>();
        for (int i = 0; i < fleet.path("uuid").size(); i++) {
            ObjectNode row = RestClient.emptyObject();
            for (String column : List.of("host", "uuid", "state", "zone", "cell", "host_aggregates",
                    "instances", "traits")) {
                JsonNode value = fleet.path(column).path(i);
                row.set(column, VALUES_OF_INDEXED.containsKey(column)
                        ? fleet.path(VALUES_OF_INDEXED.get(column)).path(value.asInt())
                        : value);
            }
            for (Map.Entry<String, JsonNode> resourceClass : fleet.path("resource_classes").properties()) {
                row.set(resourceClass.getKey(), resourceClass.getValue().path("capacity").path(i));
                row.set(resourceClass.getKey() + "_used", resourceClass.getValue().path("used").path(i));
            }
            rows.add(row);
        }
        return rows;
    }
}
