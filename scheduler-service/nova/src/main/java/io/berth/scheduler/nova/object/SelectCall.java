package io.berth.scheduler.nova.object;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.berth.scheduler.http.ApiFault;
import jakarta.annotation.Nullable;

/**
 * The arguments of {@code select_destinations}, of any version from 4.0 to 4.5.
 * <br>Source: nova {@code scheduler/manager.py} (select_destinations).
 *
 * @param body the equivalent body of {@code POST /v1/select_destinations}
 * @param returnObjects true: nova expects a list of Selection objects per instance; false: one dictionary per instance
 * @param cell uuid of the cell that must contain the destination; null if the request names none
 */
public record SelectCall(ObjectNode body, boolean returnObjects, @Nullable String cell) {
    /** Converts the arguments of a call. Throws ApiFault (400) with the path of an invalid member. */
    public static SelectCall of(JsonNode args) {
        boolean returnObjects = flag(args, "return_objects");
        JsonNode spec = args.path("spec_obj");
        ObjectNode requestSpec = spec.isObject()
                ? RequestSpecObject.body(NovaObject.of(spec, "$.spec_obj"))
                : FilterProperties.body(args.path("request_spec"), args.path("filter_properties"));
        ObjectNode body = JsonNodeFactory.instance.objectNode();
        JsonNode instances = args.path("instance_uuids");
        if (instances.isMissingNode() || instances.isNull()) {
            // Without instance_uuids, nothing must be claimed, but the route would claim for a uuid in the request
            // spec.
            requestSpec.remove("instance_uuid");
        } else {
            // The length of instance_uuids is the number of instances.
            requestSpec.remove("num_instances");
            body.set("instance_uuids", instances);
        }
        body.set("request_spec", requestSpec);
        // A caller without Selection objects gets one dictionary per instance, which has no place for alternates.
        body.put("return_alternates", returnObjects && flag(args, "return_alternates"));
        return new SelectCall(body, returnObjects, requestSpec.at("/requested_destination/cell/uuid").textValue());
    }

    /**
     * Returns a copy of the body with {@code keep_allocations}, so that the claim is added to the allocations that the
     * instances have already.
     */
    public ObjectNode keepingAllocations() {
        return body.deepCopy().put("keep_allocations", true);
    }

    private static boolean flag(JsonNode args, String name) {
        JsonNode value = args.path(name);
        if (!value.isMissingNode() && !value.isNull() && !value.isBoolean()) {
            throw ApiFault.invalid("$." + name + ": must be true or false");
        }
        return value.booleanValue();
    }
}
