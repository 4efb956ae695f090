package io.berth.scheduler.api;

import com.fasterxml.jackson.databind.JsonNode;
import io.berth.scheduler.body.RequestSpecBody;
import io.berth.scheduler.http.ApiFault;
import io.berth.scheduler.json.StrictObject;
import io.berth.scheduler.request.RequestSpec;
import io.berth.scheduler.requestrecord.IdempotencyKey;
import io.berth.scheduler.selection.SelectionRequest;
import jakarta.annotation.Nullable;
import java.util.List;
import java.util.UUID;

/**
 * The body of POST /v1/select_destinations.
 *
 * @param request the request in the form in which the package {@code selection} accepts it
 * @param keepsAllocations whether the instances keep the allocations that they hold before the claim
 */
public record SelectBody(SelectionRequest request, boolean keepsAllocations) {
    /** Reads and validates the body. Throws ApiFault (400) with the path of the first invalid member. */
    public static SelectBody read(JsonNode json) {
        StrictObject body = new StrictObject(json, "$");
        List<String> uuids = body.uuidTexts("instance_uuids");
        boolean returnsAlternates = body.flag("return_alternates", false);
        boolean keepsAllocations = body.flag("keep_allocations", false);
        // nova's clients send this member; it is ignored, because selections are always objects.
        body.flag("return_objects", true);
        RequestSpecBody specBody =
                body.requiredObject("request_spec", object -> RequestSpecBody.read(object, UUID::randomUUID));
        body.refuseUnreadMembers();
        RequestSpec spec = uuids.isEmpty()
                ? specBody.spec()
                : specBody.spec().toBuilder().instanceUuids(uuids).numInstances(uuids.size()).build();
        if (spec.instanceCount() > RequestSpecBody.INSTANCES_MAX) {
            throw ApiFault.invalid("$.instance_uuids: names more than " + RequestSpecBody.INSTANCES_MAX + " instances");
        }
        if (spec.instanceUuids().stream().distinct().count() < spec.instanceUuids().size()) {
            throw ApiFault.invalid("$.instance_uuids: names an instance twice");
        }
        boolean namesInstances = !uuids.isEmpty() || specBody.namesInstances();
        // The last two values: without named instances there are no consumers for claims; instances that keep
        // allocations were placed before.
        return new SelectBody(
                new SelectionRequest(
                        spec, specBody.toDerive(), returnsAlternates, namesInstances, keepsAllocations),
                keepsAllocations);
    }

    /**
     * Returns the idempotency key, by which a repetition of this request is recognized. Throws ApiFault (400) if the
     * client's key is invalid.
     *
     * @param json the body of this request
     * @param idempotencyKey the header {@code Idempotency-Key}; null if absent
     * @param requestId the id of this HTTP request
     */
    public IdempotencyKey idempotencyKey(JsonNode json, @Nullable String idempotencyKey, String requestId) {
        List<UUID> instances = request.spec().instanceUuids().stream().map(UUID::fromString).toList();
        return IdempotencyKey.toPlace(json, instances, keepsAllocations, idempotencyKey, requestId);
    }
}
