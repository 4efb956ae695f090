package io.berth.scheduler.api;

import com.fasterxml.jackson.databind.JsonNode;
import io.berth.scheduler.claim.Claimable;
import io.berth.scheduler.http.ApiFault;
import io.berth.scheduler.json.StrictObject;
import io.berth.scheduler.placement.AllocationRequest;
import io.berth.scheduler.selection.RescheduleCall;
import io.berth.scheduler.selection.RescheduleCall.Candidate;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;

/** The body of POST /v1/reschedule. */
final class RescheduleBody {
    private RescheduleBody() {}

    /** Throws ApiFault (400) with the path of what is wrong. */
    static RescheduleCall read(JsonNode json) {
        StrictObject body = new StrictObject(json, "$");
        UUID instance = body.uuid("instance_uuid");
        if (instance == null) {
            throw ApiFault.invalid("$.instance_uuid: is required");
        }
        StrictObject failed = body.object("failed");
        if (failed == null) {
            throw ApiFault.invalid("$.failed: is required");
        }
        List<Claimable<Candidate>> alternates = new ArrayList<>();
        for (StrictObject alternate : body.objects("alternates")) {
            Candidate candidate = candidate(alternate);
            alternates.add(new Claimable<>(candidate, candidate.request()));
        }
        RescheduleCall read = new RescheduleCall(
                instance, body.text("project_id"), body.text("user_id"), candidate(failed), alternates);
        body.nothingElse();
        return read;
    }

    private static Candidate candidate(StrictObject selection) {
        String host = selection.requiredText("host");
        String nodename = selection.text("nodename");
        for (String name : List.of(
                "compute_node_uuid", "cell_uuid", "weight", "limits", "allocation_request_version")) {
            selection.any(name);
        }
        StrictObject request = selection.object("allocation_request");
        if (request == null) {
            throw ApiFault.invalid("allocation_request: every selection needs one");
        }
        Map<String, Map<String, Long>> allocations = new LinkedHashMap<>();
        members(request, "allocations", (provider, allocation) -> allocations.put(provider, amounts(allocation)));
        StrictObject groups = request.object("mappings");
        Map<String, List<String>> mappings = new LinkedHashMap<>();
        if (groups != null) {
            groups.node().fieldNames().forEachRemaining(suffix -> mappings.put(suffix, groups.uuidTexts(suffix)));
        }
        request.nothingElse();
        selection.nothingElse();
        if (allocations.isEmpty()) {
            throw ApiFault.invalid("allocation_request.allocations: must not be empty");
        }
        return new Candidate(host, nodename, selection.node(), new AllocationRequest(allocations, mappings));
    }

    private static Map<String, Long> amounts(StrictObject allocation) {
        Map<String, Long> amounts = new LinkedHashMap<>();
        StrictObject resources = allocation.object("resources");
        if (resources != null) {
            resources.node().fieldNames().forEachRemaining(name -> amounts.put(name, resources.amount(name)));
        }
        allocation.nothingElse();
        return amounts;
    }

    private interface Member {
        void read(String name, StrictObject value);
    }

    private static void members(StrictObject object, String name, Member reader) {
        StrictObject members = object.object(name);
        if (members != null) {
            members.node().fieldNames().forEachRemaining(each -> {
                StrictObject member = members.object(each);
                if (member == null) {
                    throw ApiFault.invalid("allocation_request." + name + ": every member must be an object");
                }
                reader.read(each, member);
            });
        }
    }
}
