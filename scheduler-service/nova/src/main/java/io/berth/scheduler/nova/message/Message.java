package io.berth.scheduler.nova.message;

import com.fasterxml.jackson.databind.JsonNode;
import jakarta.annotation.Nullable;
import java.time.Duration;
import java.time.Instant;
import java.util.Objects;
import java.util.UUID;
import java.util.regex.Pattern;

/**
 * A call, or a cast, from a service of nova. Of the message's context, only the id and the time of the user's request
 * are kept, because the rest contains the user's token.
 *
 * @param method name of the called method
 * @param namespace namespace of the method; null for the service's own methods
 * @param version version of the interface that the method requires
 * @param args arguments by name, a JSON object
 * @param reply where to send the reply; null if none must be sent: for a cast, and in shadow mode
 * @param heartbeatWithin how long the caller waits for a heartbeat before it gives up; null if it expects no heartbeats
 * @param uniqueId id of this message; null if the sender set none
 * @param requestId id of the user's request, as in nova's log; null if absent
 * @param requestedAt when the user's request reached nova, which is never after the message was sent; null if absent
 */
public record Message(
        String method,
        @Nullable String namespace,
        RpcVersion version,
        JsonNode args,
        @Nullable ReplyTo reply,
        @Nullable Duration heartbeatWithin,
        @Nullable String uniqueId,
        @Nullable String requestId,
        @Nullable Instant requestedAt) {
    private static final Pattern REQUEST_ID = Pattern.compile("[\\w-]{1,64}");
    private static final Pattern UNIQUE_ID = Pattern.compile("\\w{8,64}");

    public Message {
        Objects.requireNonNull(method, "method");
        Objects.requireNonNull(version, "version");
        Objects.requireNonNull(args, "args");
    }

    /**
     * Returns an id for headers and log lines: the id of the user's request and the first 8 characters of this
     * message's id, because many messages may belong to one request, and users choose the request's id. If the message
     * has no id, or one that is not 8 to 64 letters, digits and {@code _}, random characters replace its part. Returns
     * a new id if the request has no id, or one that is not 1 to 64 letters, digits, {@code _} and {@code -}.
     */
    public String logId() {
        if (requestId == null || !REQUEST_ID.matcher(requestId).matches()) {
            return "req-" + UUID.randomUUID();
        }
        String messagePart =
                uniqueId != null && UNIQUE_ID.matcher(uniqueId).matches() ? uniqueId : UUID.randomUUID().toString();
        return requestId + "-" + messagePart.substring(0, 8);
    }

    /** Returns the message without a reply address, so that neither a reply nor heartbeats can be sent. */
    public Message withoutReply() {
        return new Message(method, namespace, version, args, null, null, uniqueId, requestId, requestedAt);
    }

    /**
     * The address of the reply.
     *
     * @param queue name of the caller's reply queue
     * @param messageId id of the call, by which the caller recognizes the reply
     */
    public record ReplyTo(String queue, String messageId) {
        public ReplyTo {
            Objects.requireNonNull(queue, "queue");
            Objects.requireNonNull(messageId, "messageId");
        }
    }

    /** Leaves out the arguments, because the arguments of a move contain the passwords of a cell. */
    @Override
    public String toString() {
        return "method=%s version=%s unique_id=%s msg_id=%s request=%s"
                .formatted(method, version, uniqueId, reply == null ? null : reply.messageId(), requestId);
    }
}
