package io.berth.deploy.list;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.berth.deploy.http.RestClient;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * Converts a response of {@code GET /v1/fleet} into one object per host. In the response, each member is an array with
 * one value per host, and values that many hosts share are indexes into another array.
 */
final class Hosts {
    /** The columns whose values are indexes, and the members with the values: {@code state} indexes {@code states}. */
    private static final Map<String, String> INDEXED = Map.of(
            "state", "states", "zone", "zones", "cell", "cells", "host_aggregates", "host_aggregate_sets", "traits",
            "trait_sets");

    private Hosts() {}

    static List<ObjectNode> rows(JsonNode fleet) {
        List<ObjectNode> rows = new ArrayList<>();
        for (int i = 0; i < fleet.path("uuid").size(); i++) {
            ObjectNode row = RestClient.object();
            for (String column : List.of("host", "uuid", "state", "zone", "cell", "host_aggregates",
                    "instances", "traits")) {
                JsonNode value = fleet.path(column).path(i);
                row.set(column, INDEXED.containsKey(column)
                        ? fleet.path(INDEXED.get(column)).path(value.asInt())
                        : value);
            }
            for (Map.Entry<String, JsonNode> each : fleet.path("resource_classes").properties()) {
                row.set(each.getKey(), each.getValue().path("capacity").path(i));
                row.set(each.getKey() + "_used", each.getValue().path("used").path(i));
            }
            rows.add(row);
        }
        return rows;
    }
}
