package io.berth.scheduler.planning;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.berth.scheduler.body.RequestSpecBody;
import io.berth.scheduler.http.ApiFault;
import io.berth.scheduler.http.ErrorCode;
import io.berth.scheduler.job.Deadline;
import io.berth.scheduler.json.StrictObject;
import io.berth.scheduler.scenariochange.Selector;
import io.berth.scheduler.text.Uuids;
import jakarta.annotation.Nullable;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;
import java.util.regex.Pattern;

/**
 * The body of {@code POST /v1/proposals}.
 *
 * @param movesMax maximum number of proposed moves, 1 to {@value #MOVES_MAX}; 20 by default
 * @param requestSpecs request specs that the caller provided, by instance; used instead of recorded requests
 * @param deadline time limit of the analysis
 */
record ProposalsBody(Goal goal, int movesMax, Map<UUID, ObjectNode> requestSpecs, Deadline deadline) {
    static final int MOVES_MAX = 100;
    private static final int MOVES_BY_DEFAULT = 20;
    /** The maximum of the member {@code count} of a goal. */
    private static final int COUNT_MAX = 10_000;
    /** The maximum number of request specs; a body with more gets the response 413. */
    private static final int REQUEST_SPECS_MAX = 10_000;
    private static final Pattern RESOURCE_CLASS = Pattern.compile("[A-Z0-9_]{1,255}");

    /** The goal of the moves. */
    sealed interface Goal {}

    /** The goal that {@code count} instances of a request fit. */
    record MakeRoom(RequestSpecBody request, int count) implements Goal {}

    /**
     * The goal that hosts are empty.
     *
     * @param hosts the hosts to empty; null: any hosts
     * @param count number of hosts to empty; ignored unless {@code hosts} is null
     */
    record EmptyHosts(@Nullable Selector hosts, int count) implements Goal {}

    /** The goal that a resource class is used evenly on all hosts. */
    record Spread(String resourceClass) implements Goal {}

    /**
     * Reads the body. Throws ApiFault: 400 with the path of the invalid member, 413 for more than
     * {@value #REQUEST_SPECS_MAX} request specs.
     */
    static ProposalsBody read(JsonNode json) {
        var body = new StrictObject(json, "$");
        Goal goal = body.requiredObject("goal", ProposalsBody::goal);
        @Nullable Long moves = body.longWithin("max_moves", 1, MOVES_MAX);
        Map<UUID, ObjectNode> requestSpecs = requestSpecs(body);
        Deadline deadline = Deadline.of(body);
        body.refuseUnreadMembers();
        return new ProposalsBody(goal, moves == null ? MOVES_BY_DEFAULT : moves.intValue(), requestSpecs, deadline);
    }

    private static Goal goal(StrictObject body) {
        if (body.node().size() != 1) {
            throw ApiFault.invalid("$.goal: must have one of make_room, empty_hosts, spread");
        }
        @Nullable Goal room = body.object("make_room", ProposalsBody::room);
        @Nullable Goal empty = body.object("empty_hosts", ProposalsBody::empty);
        @Nullable Goal even = body.object("spread", ProposalsBody::even);
        body.refuseUnreadMembers();
        if (room != null) {
            return room;
        }
        // The body has exactly one member.
        return empty != null ? empty : Objects.requireNonNull(even);
    }

    private static Goal room(StrictObject body) {
        RequestSpecBody request =
                body.requiredObject("request_spec", spec -> RequestSpecBody.read(spec, UUID::randomUUID));
        @Nullable Long count = body.longWithin("count", 1, COUNT_MAX);
        body.refuseUnreadMembers();
        return new MakeRoom(request, count == null ? 1 : count.intValue());
    }

    private static Goal empty(StrictObject body) {
        if (!body.node().has("count")) {
            return new EmptyHosts(Selector.read(body.readWhole(), "$.goal.empty_hosts"), 0);
        }
        @Nullable Long count = body.longWithin("count", 1, COUNT_MAX);
        body.refuseUnreadMembers();
        return new EmptyHosts(null, count == null ? 1 : count.intValue());
    }

    private static Goal even(StrictObject body) {
        String resourceClass = body.requiredText("resource_class");
        if (!RESOURCE_CLASS.matcher(resourceClass).matches()) {
            throw body.invalid("resource_class", "must be a resource class, such as VCPU");
        }
        body.refuseUnreadMembers();
        return new Spread(resourceClass);
    }

    private static Map<UUID, ObjectNode> requestSpecs(StrictObject body) {
        Map<String, JsonNode> specsByText = body.map("request_specs", StrictObject.OBJECT);
        if (specsByText.size() > REQUEST_SPECS_MAX) {
            throw new ApiFault(
                    ErrorCode.BODY_TOO_LARGE,
                    "$.request_specs: must have at most " + REQUEST_SPECS_MAX + " members");
        }
        Map<UUID, ObjectNode> requestSpecs = new HashMap<>();
        specsByText.forEach((instance, spec) -> {
            UUID uuid = Uuids.find(instance);
            if (uuid == null) {
                throw ApiFault.invalid("$.request_specs.%s: must be the uuid of an instance".formatted(instance));
            }
            // Refuses an invalid request spec.
            Requests.ofCaller(uuid, (ObjectNode) spec);
            requestSpecs.put(uuid, (ObjectNode) spec);
        });
        return requestSpecs;
    }
}
