package io.berth.scheduler.nova.object;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import io.berth.scheduler.http.ApiFault;
import jakarta.annotation.Nullable;

/**
 * The arguments of {@code select_destinations}, of any version from 4.0 to 4.5.
 *
 * @param body of {@code POST /v1/select_destinations}
 * @param returnObjects whether the answer is of Selection objects, per instance a list; else of dictionaries, one each
 * @param cell that the destination must be in; null where the request names none
 *     <br>Source: nova {@code scheduler/manager.py} (select_destinations).
 */
public record SelectCall(ObjectNode body, boolean returnObjects, @Nullable String cell) {
    /** Throws ApiFault (400) with the path of what is not of its shape. */
    public static SelectCall of(JsonNode args) {
        boolean objects = flag(args, "return_objects");
        JsonNode spec = args.path("spec_obj");
        ObjectNode requestSpec = spec.isObject()
                ? RequestSpecObject.body(NovaObject.of(spec, "$.spec_obj"))
                : FilterProperties.body(args.path("request_spec"), args.path("filter_properties"));
        ObjectNode body = JsonNodeFactory.instance.objectNode();
        JsonNode instances = args.path("instance_uuids");
        if (instances.isMissingNode() || instances.isNull()) {
            // Whoever does not say which does not have them claimed.
            requestSpec.remove("instance_uuid");
        } else {
            // How many is what the list says.
            requestSpec.remove("num_instances");
            body.set("instance_uuids", instances);
        }
        body.set("request_spec", requestSpec);
        body.put("return_alternates", objects && flag(args, "return_alternates"));
        return new SelectCall(body, objects, requestSpec.at("/requested_destination/cell/uuid").textValue());
    }

    /** The same, with what the instances hold left beside the claim. */
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
