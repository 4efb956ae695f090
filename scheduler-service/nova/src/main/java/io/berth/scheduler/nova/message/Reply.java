package io.berth.scheduler.nova.message;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import jakarta.annotation.Nullable;
import java.nio.charset.StandardCharsets;
import java.util.UUID;

/**
 * A message to a caller, as it is published on the caller's reply queue.
 *
 * @param queue name of the caller's reply queue
 * @param body oslo.messaging's envelope, with the message in it, as JSON in UTF-8
 */
public record Reply(String queue, byte[] body) {
    /** Creates a reply with the result, which may be JSON's null. */
    public static Reply result(Message.ReplyTo to, JsonNode result) {
        return of(to, result, null, true);
    }

    /** Creates a reply with the exception that the caller raises. */
    public static Reply failure(Message.ReplyTo to, Failure failure) {
        return of(to, null, failure, true);
    }

    /** Creates a heartbeat, which makes the caller wait longer for the reply. */
    public static Reply heartbeat(Message.ReplyTo to) {
        return of(to, null, null, false);
    }

    /** @param isEnding whether the message ends the call; false for a heartbeat */
    private static Reply of(
            Message.ReplyTo to, @Nullable JsonNode result, @Nullable Failure failure, boolean isEnding) {
        ObjectNode message = JsonNodeFactory.instance.objectNode();
        message.set("result", result);
        message.put("failure", failure == null ? null : failure.json().toString());
        message.put("ending", isEnding);
        message.put("_msg_id", to.messageId());
        message.put("_unique_id", UUID.randomUUID().toString().replace("-", ""));
        ObjectNode envelope = JsonNodeFactory.instance.objectNode();
        envelope.put("oslo.version", "2.0");
        envelope.put("oslo.message", message.toString());
        return new Reply(to.queue(), envelope.toString().getBytes(StandardCharsets.UTF_8));
    }
}
