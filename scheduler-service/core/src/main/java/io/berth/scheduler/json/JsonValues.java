package io.berth.scheduler.json;

import com.fasterxml.jackson.databind.JsonNode;
import jakarta.annotation.Nullable;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Converts JSON objects to maps of Java values, for members whose names are not fixed, such as image properties. */
public final class JsonValues {
    private JsonValues() {}

    /**
     * Returns the members of an object as String, Number, Boolean, null or List of these. A nested object is returned
     * as JSON text.
     */
    public static Map<String, Object> plainMembers(JsonNode object) {
        Map<String, Object> plain = new LinkedHashMap<>();
        object.properties().forEach(member -> plain.put(member.getKey(), plain(member.getValue())));
        return plain;
    }

    private static @Nullable Object plain(JsonNode value) {
        return switch (value.getNodeType()) {
            case STRING -> value.textValue();
            case BOOLEAN -> value.booleanValue();
            case NUMBER -> value.numberValue();
            case NULL, MISSING -> null;
            case ARRAY -> {
                List<Object> items = new ArrayList<>();
                value.forEach(item -> items.add(plain(item)));
                yield items;
            }
            case OBJECT, POJO, BINARY -> value.toString();
        };
    }
}
