package io.berth.scheduler.requestrecord;

import com.fasterxml.jackson.databind.JsonNode;
import io.berth.scheduler.http.JsonBody;
import io.berth.scheduler.placement.candidate.AllocationRequest;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** Reads the claims out of a stored response. */
final class StoredResponse {
    private StoredResponse() {}

    /**
     * Returns the allocations of each instance, in the order of the request: provider uuid to resource class to
     * amount.
     */
    static List<Map<String, Map<String, Long>>> allocations(String answer) {
        JsonNode json = JsonBody.parse(answer.getBytes(StandardCharsets.UTF_8));
        List<Map<String, Map<String, Long>>> all = new ArrayList<>();
        if (json.has("selection")) {
            all.add(of(json.get("selection")));
        } else {
            json.path("selections").forEach(ofInstance -> all.add(of(ofInstance.path(0))));
        }
        return all;
    }

    private static Map<String, Map<String, Long>> of(JsonNode selection) {
        return AllocationRequest.readAllocations(selection.at("/allocation_request/allocations"));
    }
}
