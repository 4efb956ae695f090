package io.berth.scheduler.nova;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;

/** Messages of a running nova (Zed), recorded in RabbitMQ; tokens, ids and passwords are replaced. */
public final class Recorded {
    public static final ObjectMapper JSON = new ObjectMapper();
    /** Names of recorded calls of {@code select_destinations}. */
    public static final List<String> CALLS = List.of(
            "az", "boot", "dest-cell_ignore1", "dest-cell_ignore1_az_noalt", "dest-cell_ignore1_noalt",
            "dest-cell_noalt", "dest-host-node-cell_ignore1", "forced_az", "multi3_group",
            "rebuild_dest-cell_forced_noalt");
    public static final List<String> CASTS = List.of(
            "delete_aggregate", "delete_instance_info", "sync_instance_info-empty", "sync_instance_info",
            "update_aggregates", "update_instance_info-one");

    private Recorded() {}

    public static ObjectNode call(String name) {
        return message("select_destinations_" + name + ".1-call.json");
    }

    public static ObjectNode reply(String name) {
        return message("select_destinations_" + name + ".2-reply.json");
    }

    public static ObjectNode cast(String name) {
        return message("cast_" + name + ".json");
    }

    public static ObjectNode message(String file) {
        try (InputStream recorded = Recorded.class.getResourceAsStream("/nova/" + file)) {
            return (ObjectNode) JSON.readTree(recorded).get("message");
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Returns the body of the message as it was in RabbitMQ. */
    public static byte[] body(JsonNode message) {
        return enveloped(message.toString()).getBytes(StandardCharsets.UTF_8);
    }

    public static String enveloped(String message) {
        return JSON.createObjectNode().put("oslo.version", "2.0").put("oslo.message", message).toString();
    }

    /** Returns the message in an envelope. */
    public static JsonNode opened(byte[] body) {
        try {
            JsonNode envelope = JSON.readTree(body);
            return JSON.readTree(envelope.get("oslo.message").textValue());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
