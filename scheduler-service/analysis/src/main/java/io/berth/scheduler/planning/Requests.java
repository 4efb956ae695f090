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
 * Finds the request with which an instance would be moved: the one that the caller states, or that of the latest
 * decisions that placed it, without the parts that applied only then (hosts to ignore, forced and requested ones,
 * earlier attempts), and without the name, which belongs to one of several instances.
 */
@Singleton
class Requests {
    private static final List<String> ONCE = List.of(
            "instance_uuid", "instance_uuids", "num_instances", "name", "retry", "ignore_hosts", "force_hosts", "force_nodes",
            "requested_destination", "limits");

    private final DecisionRecords records;

    Requests(DecisionRecords records) {
        this.records = records;
    }

    /**
     * Returns requests, the likeliest first; an instance without a known request is missing. For the analysis worker.
     *
     * @param given request_spec by instance
     */
    Map<UUID, List<Movable.Request>> of(Collection<UUID> instances, Map<UUID, ObjectNode> given) {
        List<UUID> recorded = instances.stream().filter(uuid -> !given.containsKey(uuid)).toList();
        Map<UUID, List<Movable.Request>> all = new HashMap<>();
        for (UUID uuid : instances) {
            if (given.containsKey(uuid)) {
                all.put(uuid, List.of(given(uuid, given.get(uuid))));
            }
        }
        if (!recorded.isEmpty()) {
            for (RecordedRequest each : records.requestsOf(recorded).await().indefinitely()) {
                Movable.Request request = read(each);
                if (request != null) {
                    all.computeIfAbsent(each.instance(), made -> new ArrayList<>()).add(request);
                }
            }
        }
        return all;
    }

    /** Throws ApiFault (400) with the path of the invalid member. */
    static Movable.Request given(UUID instance, ObjectNode spec) {
        ObjectNode own = spec.deepCopy();
        own.put("instance_uuid", instance.toString());
        own.remove(List.of("instance_uuids", "num_instances"));
        return new Movable.Request(
                null, own, RequestSpecBody.read(new StrictObject(own, "$.request_specs." + instance), () -> instance));
    }

    /** Returns null for a request that cannot be read any more. */
    private static @Nullable Movable.Request read(RecordedRequest recorded) {
        try {
            JsonNode body = JsonBody.parse(recorded.body());
            if (!(body.get("request_spec") instanceof ObjectNode spec)) {
                return null;
            }
            ObjectNode own = spec.deepCopy();
            own.remove(ONCE);
            own.put("instance_uuid", recorded.instance().toString());
            RequestSpecBody read = RequestSpecBody.read(new StrictObject(own, "$.request_spec"), recorded::instance);
            return new Movable.Request(recorded.decision(), own, read);
        } catch (ApiFault unreadable) {
            return null;
        }
    }
}
