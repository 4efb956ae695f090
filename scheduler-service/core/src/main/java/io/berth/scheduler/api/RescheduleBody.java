package io.berth.scheduler.api;

import com.fasterxml.jackson.databind.JsonNode;
import io.berth.scheduler.claim.ClaimCandidate;
import io.berth.scheduler.json.StrictObject;
import io.berth.scheduler.placement.candidate.AllocationRequest;
import io.berth.scheduler.selection.RescheduleRequest;
import io.berth.scheduler.selection.RescheduleRequest.Candidate;
import java.util.List;
import java.util.Map;

/** Reads the body of POST /v1/reschedule. */
final class RescheduleBody {
    /** Members of a selection that are accepted and not interpreted; the response repeats the selection unchanged. */
    private static final List<String> IGNORED_MEMBERS =
            List.of("compute_node_uuid", "cell_uuid", "weight", "limits", "allocation_request_version");

    private RescheduleBody() {}

    /** Reads and validates the body. Throws ApiFault (400) with the path of the first invalid member. */
    static RescheduleRequest read(JsonNode json) {
        StrictObject body = new StrictObject(json, "$");
        RescheduleRequest parsed = new RescheduleRequest(
                body.requiredUuid("instance_uuid"),
                body.text("project_id"),
                body.text("user_id"),
                body.requiredObject("failed", RescheduleBody::candidate),
                body.objects("alternates", RescheduleBody::alternate),
                body.flag("failed_by_policy", false));
        body.refuseUnreadMembers();
        return parsed;
    }

    private static ClaimCandidate<Candidate> alternate(StrictObject selection) {
        Candidate candidate = candidate(selection);
        return new ClaimCandidate<>(candidate, candidate.request());
    }

    private static Candidate candidate(StrictObject selection) {
        IGNORED_MEMBERS.forEach(selection::anyValue);
        return new Candidate(
                selection.requiredText("host"),
                selection.text("nodename"),
                selection.node(),
                selection.requiredObject("allocation_request", RescheduleBody::request));
    }

    private static AllocationRequest request(StrictObject request) {
        Map<String, Map<String, Long>> allocations = request.map("allocations", StrictObject.objectOf(
                allocation -> allocation.map("resources", StrictObject.within(0, Integer.MAX_VALUE))));
        if (allocations.isEmpty()) {
            throw request.invalid("allocations", "must not be empty");
        }
        return new AllocationRequest(
                allocations, request.map("mappings", StrictObject.listOf(StrictObject.UUID_TEXT)));
    }
}
