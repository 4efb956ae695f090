package io.berth.scheduler.scenario;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.berth.scheduler.body.RequestSpecBody;
import io.berth.scheduler.http.ApiFault;
import io.berth.scheduler.http.ErrorCode;
import io.berth.scheduler.job.CloudCopy;
import io.berth.scheduler.job.Snapshot;
import java.util.List;

/** The part {@code placements}: places requests, one after the other, and compares their hosts. */
record PlacementsPart(List<RequestSpecBody> requests) implements Part {
    @Override
    public String name() {
        return "placements";
    }

    @Override
    public JsonNode evaluate(Snapshot cloud, Gaps gaps) {
        CopyPlacement placement = new CopyPlacement(new CloudCopy(cloud), gaps);
        ArrayNode placements = JsonNodeFactory.instance.arrayNode();
        for (RequestSpecBody request : requests) {
            CopyPlacement.Outcome outcome = placement.place(request.spec(), request.toDerive());
            if (outcome == null) {
                gaps.add("time: only the first %d of %d requests were placed"
                        .formatted(placements.size(), requests.size()));
                break;
            }
            List<String> warnings = cloud.warnings(request.spec());
            if (!warnings.isEmpty()) {
                warnings.forEach(outcome.json().putArray("warnings")::add);
            }
            placements.add(outcome.json());
        }
        return placements;
    }

    @Override
    public JsonNode difference(JsonNode before, JsonNode after, Snapshot changed) {
        ObjectNode difference = JsonNodeFactory.instance.objectNode();
        int comparable = Math.min(before.size(), after.size());
        difference.put("placed", CopyPlacement.placed(after, comparable) - CopyPlacement.placed(before, comparable));
        ArrayNode differing = JsonNodeFactory.instance.arrayNode();
        for (int i = 0; i < comparable; i++) {
            requireValid(before.get(i), after.get(i), i);
            if (!CopyPlacement.haveSameHosts(before.get(i), after.get(i))) {
                differing.addObject()
                        .put("index", i)
                        .<ObjectNode>set("before", before.get(i).path("hosts"))
                        .set("after", after.get(i).path("hosts"));
            }
        }
        difference.put("elsewhere", differing.size());
        difference.set("requests", differing);
        return difference;
    }

    /**
     * Throws ApiFault if the request is invalid in both clouds, because a decision would refuse the request, too. A
     * request that is invalid in one cloud only is a difference between the clouds.
     */
    private static void requireValid(JsonNode before, JsonNode after, int index) {
        if (CopyPlacement.isInvalid(before) && CopyPlacement.isInvalid(after)) {
            ErrorCode code = ErrorCode.REQUEST_INVALID;
            for (ErrorCode each : ErrorCode.values()) {
                code = each.code().equals(after.path("code").asText()) ? each : code;
            }
            throw new ApiFault(code, "$.ask.placements[%d]: %s".formatted(index, after.path("text").asText()));
        }
    }
}
