package io.berth.scheduler.nova.message;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import io.berth.scheduler.http.ApiFault;
import io.berth.scheduler.http.JsonBody;
import jakarta.annotation.Nullable;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.zip.InflaterInputStream;

/**
 * Reads the body of a RabbitMQ message: oslo.messaging's envelope 2.x, which contains the message as JSON text, or the
 * message itself.
 * <br>Source: oslo.messaging {@code _drivers/common.py} (deserialize_msg), {@code _drivers/amqp.py}.
 */
public final class Envelope {
    /** The name that kombu uses for gzip. */
    private static final String ZLIB = "application/x-gzip";
    private static final String VERSION = "oslo.version";
    private static final String MESSAGE = "oslo.message";
    private static final RpcVersion SERVED = new RpcVersion(2, 0);
    /** Limits names; ids and names of queues have some tens of characters. */
    private static final int NAME_LENGTH_MAX = 255;
    private static final double HEARTBEAT_SECONDS_MAX = 86_400;
    private static final int QUEUE = 1;
    /**
     * Matches a quote, escaped or not: the message is JSON text within JSON. Bounded and possessive, so that hostile
     * input is scanned once.
     */
    private static final String QUOTE = "\\\\{0,16}+\"";
    private static final Pattern REPLY_QUEUE = named("_reply_q");
    private static final Pattern MESSAGE_ID = named("_msg_id");

    private Envelope() {}

    private static Pattern named(String member) {
        return Pattern.compile(
                "\"" + member + QUOTE + "\\s{0,16}+:\\s{0,16}+" + QUOTE + "([\\w.-]{1,255}+)" + QUOTE);
    }

    /** The result of reading. */
    public sealed interface Read {
        /** A message that can be processed. */
        record Understood(Message message) implements Read {}

        /**
         * @param why names members of the message, but contains nothing else of it
         * @param reply where to send the error; null for nowhere
         */
        record Unreadable(String why, @Nullable Message.ReplyTo reply) implements Read {}
    }

    /**
     * @param compression as in kombu's header; null for none
     * @param bytesMax of the decompressed body
     */
    public static Read read(byte[] body, @Nullable String compression, int bytesMax) {
        if (compression == null) {
            return read(body);
        }
        if (!compression.equals(ZLIB)) {
            return new Read.Unreadable("it is compressed as " + compression + "; set kombu_compression to gzip, or to none", null);
        }
        try (var in = new InflaterInputStream(new ByteArrayInputStream(body))) {
            byte[] plain = in.readNBytes(bytesMax + 1);
            return plain.length > bytesMax
                    ? new Read.Unreadable("it has more than " + bytesMax + " bytes", null)
                    : read(plain);
        } catch (IOException broken) {
            return new Read.Unreadable("what is compressed is broken", null);
        }
    }

    public static Read read(byte[] body) {
        try {
            return new Read.Understood(message(opened(JsonBody.ofLargeRequest(body))));
        } catch (ApiFault broken) {
            return new Read.Unreadable(broken.error().detail(), replyTo(new String(body, StandardCharsets.UTF_8)));
        }
    }

    private static JsonNode opened(JsonNode outer) {
        if (!outer.has(VERSION) || !outer.has(MESSAGE)) {
            return outer;
        }
        RpcVersion version = outer.get(VERSION).isTextual() ? RpcVersion.find(outer.get(VERSION).textValue()) : null;
        if (version == null || version.major() != SERVED.major()) {
            throw ApiFault.invalid("the envelope is not of version " + SERVED);
        }
        if (!outer.get(MESSAGE).isTextual()) {
            throw ApiFault.invalid(MESSAGE + ": must be text");
        }
        return JsonBody.ofLargeRequest(outer.get(MESSAGE).textValue().getBytes(StandardCharsets.UTF_8));
    }

    private static Message message(JsonNode message) {
        if (!message.isObject()) {
            throw ApiFault.invalid("the message must be an object");
        }
        String method = text(message, "method");
        if (method == null) {
            throw ApiFault.invalid("method: is required");
        }
        String stated = text(message, "version");
        RpcVersion version = stated == null ? RpcVersion.FIRST : RpcVersion.find(stated);
        if (version == null) {
            throw ApiFault.invalid("version: must be two numbers");
        }
        String messageId = text(message, "_msg_id");
        String queue = text(message, "_reply_q");
        String global = text(message, "_context_global_request_id");
        JsonNode args = message.path("args");
        return new Message(
                method,
                text(message, "namespace"),
                version,
                args.isObject() ? args : JsonNodeFactory.instance.objectNode(),
                messageId == null || queue == null ? null : new Message.ReplyTo(queue, messageId),
                heartbeat(message.path("_timeout")),
                text(message, "_unique_id"),
                global != null ? global : text(message, "_context_request_id"),
                moment(message.path("_context_timestamp")));
    }

    private static @Nullable Duration heartbeat(JsonNode seconds) {
        return seconds.isNumber() && seconds.doubleValue() > 0 && seconds.doubleValue() < HEARTBEAT_SECONDS_MAX
                ? Duration.ofMillis((long) (seconds.doubleValue() * 1_000))
                : null;
    }

    /**
     * Parses a time in UTC without an offset. Any other text counts as absent; then the caller counts as one that may
     * have given up.
     */
    private static @Nullable Instant moment(JsonNode value) {
        try {
            return value.isTextual() ? LocalDateTime.parse(value.textValue()).toInstant(ZoneOffset.UTC) : null;
        } catch (DateTimeException none) {
            return null;
        }
    }

    /** Returns null if it is absent or null. */
    private static @Nullable String text(JsonNode message, String name) {
        JsonNode value = message.path(name);
        if (value.isMissingNode() || value.isNull()) {
            return null;
        }
        if (!value.isTextual() || value.textValue().length() > NAME_LENGTH_MAX) {
            throw ApiFault.invalid(name + ": must be text of up to " + NAME_LENGTH_MAX + " characters");
        }
        return value.textValue();
    }

    /**
     * Finds the reply address in a message that cannot be parsed, so that its caller need not wait until it gives up.
     */
    private static @Nullable Message.ReplyTo replyTo(String body) {
        Matcher queue = REPLY_QUEUE.matcher(body);
        Matcher messageId = MESSAGE_ID.matcher(body);
        return queue.find() && messageId.find()
                ? new Message.ReplyTo(queue.group(QUEUE), messageId.group(QUEUE))
                : null;
    }
}
