package io.berth.deploy.faults;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.berth.deploy.process.Api;
import java.util.HashMap;
import java.util.Map;
import java.util.UUID;

/** The response to a client's command. */
sealed interface Reply {
    ObjectMapper JSON = new ObjectMapper();

    /** @param body empty if there is none */
    record Done(String body) implements Reply {
        JsonNode json() {
            return parse(body);
        }

        @Override
        public String toString() {
            return "done";
        }
    }

    /** @param code of the error */
    record Refused(String code) implements Reply {}

    /** No response, or 503: the command may have been executed, or may be executed later. */
    record Unknown(String why) implements Reply {}

    /** A reply that no fault excuses. */
    record Wrong(String answer) implements Reply {}

    static Reply of(Api.Response answer) {
        return switch (answer.status()) {
            case 200, 201, 204 -> new Done(answer.body());
            case 404, 409 -> new Refused(parse(answer.body()).at("/errors/0/code").asText());
            case 503 -> new Unknown("503");
            case Api.NO_RESPONSE -> new Unknown(answer.body());
            default -> new Wrong(answer.toString());
        };
    }

    static JsonNode parse(String json) {
        try {
            return JSON.readTree(json);
        } catch (JsonProcessingException e) {
            throw new IllegalStateException(json, e);
        }
    }

    /** Returns the claim of a selection: provider to resource class to amount. */
    static Map<UUID, Map<String, Long>> claimed(JsonNode selection) {
        Map<UUID, Map<String, Long>> claimed = new HashMap<>();
        selection.at("/allocation_request/allocations").properties().forEach(
                provider -> claimed.put(UUID.fromString(provider.getKey()),
                        amounts(provider.getValue().get("resources"))));
        return Map.copyOf(claimed);
    }

    static Map<String, Long> amounts(JsonNode resources) {
        Map<String, Long> amounts = new HashMap<>();
        resources.properties().forEach(each -> amounts.put(each.getKey(), each.getValue().longValue()));
        return Map.copyOf(amounts);
    }

    static UUID host(JsonNode selection) {
        return UUID.fromString(selection.get("compute_node_uuid").textValue());
    }
}
