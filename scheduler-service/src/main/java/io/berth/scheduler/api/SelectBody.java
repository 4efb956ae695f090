package io.berth.scheduler.api;

import com.fasterxml.jackson.databind.JsonNode;
import io.berth.scheduler.decision.Constraints;
import io.berth.scheduler.http.ApiFault;
import io.berth.scheduler.json.StrictObject;
import io.berth.scheduler.request.RequestSpec;
import java.util.List;

/**
 * The body of POST /v1/select_destinations.
 *
 * @param open what of the request is to be derived from flavor and image
 */
record SelectBody(RequestSpec spec, Constraints.Open open, boolean returnAlternates) {
    /** Instances of one request at most. */
    private static final int INSTANCES_MAX = 1_000;

    /** Throws ApiFault (400) with the path of what is wrong. */
    static SelectBody read(JsonNode json) {
        StrictObject body = new StrictObject(json, "$");
        StrictObject given = body.object("request_spec");
        if (given == null) {
            throw ApiFault.invalid("$.request_spec: is required");
        }
        RequestSpec spec = RequestSpecBody.read(given);
        Constraints.Open open = new Constraints.Open(
                !given.node().has("numa_topology"), !given.node().has("pci_requests"));
        List<String> uuids = body.uuidTexts("instance_uuids");
        if (!uuids.isEmpty()) {
            spec = spec.toBuilder().instanceUuids(uuids).build();
        }
        boolean alternates = body.flag("return_alternates", false);
        body.flag("return_objects", true);
        body.nothingElse();
        if (spec.instanceCount() > INSTANCES_MAX) {
            throw ApiFault.invalid("$.request_spec: asks for more than " + INSTANCES_MAX + " instances");
        }
        if (spec.instanceUuids().stream().distinct().count() < spec.instanceUuids().size()) {
            throw ApiFault.invalid("$.instance_uuids: names an instance twice");
        }
        return new SelectBody(spec, open, alternates);
    }
}
