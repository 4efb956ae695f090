package io.berth.scheduler.nova.object;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.berth.scheduler.http.ApiFault;
import jakarta.annotation.Nullable;

/**
 * Converts the dictionaries {@code request_spec} and {@code filter_properties} into the member {@code request_spec} of
 * the body of {@code POST /v1/select_destinations}. Callers that use a version of the RPC interface before 4.3 may send
 * these dictionaries instead of a RequestSpec.
 * <br>Source: nova {@code objects/request_spec.py} (from_primitives).
 */
final class FilterProperties {
    private static final JsonNodeFactory JSON = JsonNodeFactory.instance;

    private FilterProperties() {}

    /** Returns the member {@code request_spec}. Throws ApiFault (400) with the path of an invalid member. */
    static ObjectNode body(JsonNode requestSpec, JsonNode filterProperties) {
        NovaObject spec = NovaObject.ofEither(requestSpec, "$.request_spec");
        NovaObject filters = new NovaObject(
                filterProperties.isObject() ? filterProperties : JSON.objectNode(), "$.filter_properties");
        JsonNode properties = spec.value("instance_properties");
        NovaObject instance = properties == null
                ? new NovaObject(JSON.objectNode(), "$.request_spec.instance_properties")
                : NovaObject.ofEither(properties, "$.request_spec.instance_properties");
        ObjectNode body = JSON.objectNode();
        body.set("flavor", flavor(spec, filters));
        JsonNode image = spec.value("image");
        if (image != null) {
            ObjectNode copy = body.putObject("image");
            NovaObject.ofEither(image, "$.request_spec.image").copy(copy, "id", "name", "disk_format", "properties");
        }
        spec.copy(body, "num_instances");
        instance.copy(body, "project_id", "user_id", "availability_zone");
        if (instance.value("uuid") != null) {
            body.set("instance_uuid", instance.value("uuid"));
        }
        filters.copy(body, "ignore_hosts", "force_hosts", "force_nodes", "scheduler_hints");
        JsonNode retry = filters.value("retry");
        if (retry != null && retry.isObject()) {
            body.set("retry", retry(retry));
        }
        if (filters.value("group_policies") != null) {
            ObjectNode group = body.putObject("instance_group");
            group.set("policy", filters.value("group_policies").path(0));
            put(group, "hosts", filters.value("group_hosts"));
            put(group, "members", filters.value("group_members"));
        }
        return body;
    }

    private static void put(ObjectNode body, String name, @Nullable JsonNode value) {
        if (value != null) {
            body.set(name, value);
        }
    }

    private static JsonNode flavor(NovaObject spec, NovaObject filters) {
        JsonNode flavor = spec.value("instance_type") != null
                ? spec.value("instance_type")
                : filters.value("instance_type");
        if (flavor == null) {
            throw ApiFault.invalid("$.request_spec.instance_type: is required");
        }
        return RequestSpecObject.flavor(NovaObject.ofEither(flavor, "$.request_spec.instance_type"));
    }

    /** Converts nova's {@code retry}. Each element of its {@code hosts} is an array of two names: host and node. */
    private static JsonNode retry(JsonNode retry) {
        ObjectNode body = JSON.objectNode();
        if (retry.has("num_attempts")) {
            body.set("num_attempts", retry.get("num_attempts"));
        }
        ArrayNode hosts = body.putArray("hosts");
        for (JsonNode pair : retry.path("hosts")) {
            ObjectNode host = hosts.addObject();
            put(host, "host", pair.get(0));
            put(host, "nodename", pair.get(1));
        }
        return body;
    }
}
