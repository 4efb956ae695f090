package io.berth.deploy.list;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.berth.deploy.http.RestClient;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** Converts the columns of {@code GET /v1/fleet} into rows, one per host. */
final class Hosts {
    /** Columns whose values are indexes into another member. */
    private static final Map<String, String> TOLD_BESIDE = Map.of(
            "state", "states", "zone", "zones", "cell", "cells", "host_aggregates", "host_aggregate_sets", "traits", "trait_sets");

    private Hosts() {}

    static List<ObjectNode> rows(JsonNode fleet) {
        List<ObjectNode> rows = new ArrayList<>();
        for (int i = 0; i < fleet.path("uuid").size(); i++) {
            ObjectNode row = RestClient.object();
            for (String column : List.of("host", "uuid", "state", "zone", "cell", "host_aggregates", "instances", "traits")) {
                JsonNode value = fleet.path(column).path(i);
                row.set(column, TOLD_BESIDE.containsKey(column)
                        ? fleet.path(TOLD_BESIDE.get(column)).path(value.asInt())
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
