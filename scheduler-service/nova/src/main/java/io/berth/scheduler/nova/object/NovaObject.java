package io.berth.scheduler.nova.object;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.berth.scheduler.http.ApiFault;
import jakarta.annotation.Nullable;
import java.util.function.Function;

/**
 * A versioned object of nova, or a plain dictionary with the same fields. A field that was never set is absent, which
 * differs from null. Newer versions add fields, which are ignored.
 * <br>Source: oslo.versionedobjects {@code base.py} (obj_from_primitive).
 *
 * @param data the object's fields by name
 * @param path path of the object in the message, for error messages
 */
record NovaObject(JsonNode data, String path) {
    private static final String NAME = "nova_object.name";
    private static final String DATA = "nova_object.data";
    private static final String VERSION = "nova_object.version";
    private static final String MAJOR = "1.";

    /**
     * Reads an object of nova. Throws ApiFault (400) if the JSON is not a versioned object, or has a version other than
     * 1.x. A missing version counts as 1.x.
     */
    static NovaObject of(JsonNode node, String path) {
        JsonNode data = node.path(DATA);
        if (!data.isObject()) {
            throw ApiFault.invalid(path + ": must be a versioned object of nova");
        }
        String version = node.path(VERSION).asText(MAJOR);
        if (!version.startsWith(MAJOR)) {
            throw ApiFault.invalid("%s: version %s of %s is not supported, must be 1.x"
                    .formatted(path, version, node.path(NAME).asText("an object")));
        }
        return new NovaObject(data, path);
    }

    /**
     * Reads an object of nova or a plain dictionary, which nova's older messages contain. Throws ApiFault (400) for
     * anything else.
     */
    static NovaObject ofEither(JsonNode node, String path) {
        if (!node.isObject()) {
            throw ApiFault.invalid(path + ": must be an object");
        }
        return node.has(DATA) ? of(node, path) : new NovaObject(node, path);
    }

    /** Returns whether the field was set, possibly to null. */
    boolean has(String field) {
        return data.has(field);
    }

    /** Returns a field; null if the field is absent or null. */
    @Nullable JsonNode value(String field) {
        JsonNode value = data.get(field);
        return value == null || value.isNull() ? null : value;
    }

    /**
     * Returns a field as an object; null if the field is absent or null. Throws ApiFault (400) if the field is not a
     * versioned object of version 1.x.
     */
    @Nullable NovaObject object(String field) {
        JsonNode value = value(field);
        return value == null ? null : of(value, path + "." + field);
    }

    /** Copies the given fields into a JSON object, also fields that are null. Leaves out fields that were not set. */
    void copy(ObjectNode into, String... fields) {
        for (String field : fields) {
            if (data.has(field)) {
                into.set(field, data.get(field));
            }
        }
    }

    /** Returns a JSON object with copies of the given fields, as {@link #copy} makes them. */
    ObjectNode copyOf(String... fields) {
        ObjectNode copy = JsonNodeFactory.instance.objectNode();
        copy(copy, fields);
        return copy;
    }

    /**
     * Converts each object of a field that is a list. Returns an empty array if the field is absent or null; throws
     * ApiFault (400) if the field is not a list of versioned objects of version 1.x.
     *
     * @param convert converts an object; returns null to leave it out
     */
    ArrayNode objects(String field, Function<NovaObject, JsonNode> convert) {
        ArrayNode all = JsonNodeFactory.instance.arrayNode();
        JsonNode list = value(field);
        if (list != null && !list.isArray()) {
            throw ApiFault.invalid(path + "." + field + ": must be a list");
        }
        for (int i = 0; list != null && i < list.size(); i++) {
            JsonNode converted = convert.apply(of(list.get(i), path + "." + field + "[" + i + "]"));
            if (converted != null) {
                all.add(converted);
            }
        }
        return all;
    }
}
