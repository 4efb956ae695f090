package io.berth.scheduler.planning;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.berth.scheduler.body.RequestSpecBody;
import io.berth.scheduler.http.ApiFault;
import io.berth.scheduler.http.JsonBody;
import io.berth.scheduler.json.StrictObject;
import io.berth.scheduler.record.DecisionRecords;
import io.berth.scheduler.record.RecordedRequest;
import jakarta.annotation.Nullable;
import jakarta.inject.Singleton;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;

/**
 * Finds the requests with which instances would be moved: the request that the caller provided for an instance, or the
 * recorded requests of up to three decisions, the latest that placed or moved the instance. Removes members of a
 * recorded request that concerned only its decision, such as ignored, forced and requested hosts and earlier attempts.
 * Also removes the name, because a request for several instances may have the name of another instance.
 */
@Singleton
class Requests {
    /** The members of a recorded request that are removed. */
    private static final List<String> REMOVED_MEMBERS = List.of(
            "instance_uuid", "instance_uuids", "num_instances", "name", "retry", "ignore_hosts", "force_hosts",
            "force_nodes", "requested_destination", "limits");

    private final DecisionRecords records;

    Requests(DecisionRecords records) {
        this.records = records;
    }

    /**
     * Returns the requests of each instance, the likeliest first; an instance without a known request is missing.
     * Blocks; for the analysis worker only.
     *
     * @param requestSpecs request specs that the caller provided, by instance
     */
    Map<UUID, List<Movable.Request>> of(Collection<UUID> instances, Map<UUID, ObjectNode> requestSpecs) {
        List<UUID> recorded = instances.stream().filter(uuid -> !requestSpecs.containsKey(uuid)).toList();
        Map<UUID, List<Movable.Request>> all = new HashMap<>();
        for (UUID uuid : instances) {
            if (requestSpecs.containsKey(uuid)) {
                all.put(uuid, List.of(ofCaller(uuid, requestSpecs.get(uuid))));
            }
        }
        if (!recorded.isEmpty()) {
            for (RecordedRequest each : records.requestsOf(recorded).await().indefinitely()) {
                Movable.Request request = read(each);
                if (request != null) {
                    all.computeIfAbsent(each.instance(), key -> new ArrayList<>()).add(request);
                }
            }
        }
        return all;
    }

    /**
     * Reads a request spec that the caller provided, as the spec of this instance alone. Throws ApiFault (400) with the
     * path of the invalid member.
     */
    static Movable.Request ofCaller(UUID instance, ObjectNode spec) {
        ObjectNode changed = spec.deepCopy();
        changed.put("instance_uuid", instance.toString());
        changed.remove(List.of("instance_uuids", "num_instances"));
        return new Movable.Request(
                null, changed,
                RequestSpecBody.read(new StrictObject(changed, "$.request_specs." + instance), () -> instance));
    }

    /** Reads a recorded request. Returns null if this version cannot read it. */
    private static @Nullable Movable.Request read(RecordedRequest recorded) {
        try {
            JsonNode body = JsonBody.parse(recorded.body());
            if (!(body.get("request_spec") instanceof ObjectNode spec)) {
                return null;
            }
            ObjectNode changed = spec.deepCopy();
            changed.remove(REMOVED_MEMBERS);
            changed.put("instance_uuid", recorded.instance().toString());
            RequestSpecBody read =
                    RequestSpecBody.read(new StrictObject(changed, "$.request_spec"), recorded::instance);
            return new Movable.Request(recorded.decision(), changed, read);
        } catch (ApiFault unreadable) {
            return null;
        }
    }
}
