package io.berth.scheduler.nova.message;

import com.fasterxml.jackson.databind.JsonNode;
import jakarta.annotation.Nullable;
import java.time.Duration;
import java.time.Instant;
import java.util.Objects;
import java.util.UUID;
import java.util.regex.Pattern;

/**
 * A call, or a cast, from a service of nova. Its context is dropped except for the id and the time of the user's
 * request, because the rest contains the user's token.
 *
 * @param namespace null for the service's own methods
 * @param args by name
 * @param reply null for a cast, which gets no reply
 * @param heartbeatWithin how long the caller waits for a heartbeat before it gives up; null if it wants none
 * @param uniqueId of this message; null if the sender set none
 * @param requestId of the user's request, as in nova's log; null without one
 * @param requestedAt when the user's request reached nova: no message about it is older. Null if absent
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
     * Returns the id of the user's request, if it is safe in a header and a log line, followed by a part of this
     * message's id: many messages may belong to one request, and users choose its id. Otherwise returns a new id.
     */
    public String tracedAs() {
        if (requestId == null || !REQUEST_ID.matcher(requestId).matches()) {
            return "req-" + UUID.randomUUID();
        }
        String own = uniqueId != null && UNIQUE_ID.matcher(uniqueId).matches() ? uniqueId : UUID.randomUUID().toString();
        return requestId + "-" + own.substring(0, 8);
    }

    /** Returns the message without a reply address, so that no reply can be sent. */
    public Message withoutReply() {
        return new Message(method, namespace, version, args, null, null, uniqueId, requestId, requestedAt);
    }

    /** @param messageId of the call, by which the caller recognizes the reply */
    public record ReplyTo(String queue, String messageId) {
        public ReplyTo {
            Objects.requireNonNull(queue, "queue");
            Objects.requireNonNull(messageId, "messageId");
        }
    }

    /** Leaves out the arguments: those of a move contain the passwords of a cell. */
    @Override
    public String toString() {
        return "method=%s version=%s unique_id=%s msg_id=%s request=%s"
                .formatted(method, version, uniqueId, reply == null ? null : reply.messageId(), requestId);
    }
}
