package io.berth.scheduler.claim;

import com.fasterxml.jackson.databind.JsonNode;
import io.berth.scheduler.http.JsonBody;
import io.vertx.core.json.JsonObject;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Map;

/** Converts allocations to and from their stored form: {@code {provider uuid: {resource class: amount}}}. */
public final class AllocationsText {
    private AllocationsText() {}

    /** Returns the allocations as JSON text. */
    public static String render(Map<String, Map<String, Long>> allocations) {
        JsonObject json = new JsonObject();
        allocations.forEach((provider, amounts) -> {
            JsonObject resources = new JsonObject();
            amounts.forEach(resources::put);
            json.put(provider, resources);
        });
        return json.encode();
    }

    /** Parses the JSON text of {@link #render}. Fails with ApiFault if it is not JSON. */
    public static Map<String, Map<String, Long>> parse(String text) {
        return read(JsonBody.parse(text.getBytes(StandardCharsets.UTF_8)));
    }

    /** Converts the parsed JSON of {@link #render}, which is not validated. */
    public static Map<String, Map<String, Long>> read(JsonNode json) {
        Map<String, Map<String, Long>> allocations = new LinkedHashMap<>();
        for (var provider : json.properties()) {
            Map<String, Long> amounts = new LinkedHashMap<>();
            provider.getValue().properties().forEach(entry -> amounts.put(entry.getKey(), entry.getValue().asLong()));
            allocations.put(provider.getKey(), amounts);
        }
        return allocations;
    }
}
