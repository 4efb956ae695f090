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
    /**
     * The value of kombu's header {@code compression} for its method {@code gzip}. The data has the format of zlib (RFC
     * 1950), not that of gzip.
     */
    private static final String ZLIB = "application/x-gzip";
    private static final String VERSION = "oslo.version";
    private static final String MESSAGE = "oslo.message";
    /** The version of the envelope that is understood; all versions with the same major number are. */
    private static final RpcVersion SUPPORTED_VERSION = new RpcVersion(2, 0);
    /**
     * The maximum number of characters of a member that is read as text, such as a method, an id or the name of a
     * queue. A message with a longer member is {@link Read.Unreadable}.
     */
    private static final int NAME_LENGTH_MAX = 255;
    /**
     * The limit of {@code _timeout}, the time in seconds within which the caller expects a heartbeat; this value and
     * higher ones count as absent.
     */
    private static final double HEARTBEAT_SECONDS_MAX = 86_400;
    /** The number of the group that captures the value in {@link #REPLY_QUEUE} and {@link #MESSAGE_ID}. */
    private static final int VALUE = 1;
    /**
     * Matches a quote with up to 16 backslashes before it, because the message is JSON text within JSON. The
     * quantifiers are bounded and possessive, so that hostile input is scanned once.
     */
    private static final String QUOTE = "\\\\{0,16}+\"";
    private static final Pattern REPLY_QUEUE = memberPattern("_reply_q");
    private static final Pattern MESSAGE_ID = memberPattern("_msg_id");

    private Envelope() {}

    /** Returns the pattern of a member and its value: letters, digits, {@code _}, {@code .} and {@code -}. */
    private static Pattern memberPattern(String member) {
        return Pattern.compile(
                "\"" + member + QUOTE + "\\s{0,16}+:\\s{0,16}+" + QUOTE + "([\\w.-]{1,255}+)" + QUOTE);
    }

    /** The result of reading. */
    public sealed interface Read {
        /** A message that can be processed. */
        record Understood(Message message) implements Read {}

        /**
         * A message that cannot be processed.
         *
         * @param reason the reason; may name members of the message, but contains none of their values
         * @param reply where to send the error; null if the message has no reply address
         */
        record Unreadable(String reason, @Nullable Message.ReplyTo reply) implements Read {}
    }

    /**
     * Reads the body of a message; returns {@link Read.Unreadable} if that is not possible.
     *
     * @param compression value of kombu's header {@code compression}; null if the body is not compressed
     * @param bytesMax maximum number of bytes of the decompressed body; a larger body is unreadable
     */
    public static Read read(byte[] body, @Nullable String compression, int bytesMax) {
        if (compression == null) {
            return read(body);
        }
        if (!compression.equals(ZLIB)) {
            return new Read.Unreadable("it is compressed as " + compression
                    + "; set kombu_compression to gzip, or to none", null);
        }
        try (var in = new InflaterInputStream(new ByteArrayInputStream(body))) {
            byte[] plain = in.readNBytes(bytesMax + 1);
            return plain.length > bytesMax
                    ? new Read.Unreadable("it has more than " + bytesMax + " bytes", null)
                    : read(plain);
        } catch (IOException broken) {
            return new Read.Unreadable("the compressed body is corrupt", null);
        }
    }

    /** Reads a body that is not compressed. */
    public static Read read(byte[] body) {
        try {
            return new Read.Understood(message(unwrap(JsonBody.ofLargeRequest(body))));
        } catch (ApiFault broken) {
            return new Read.Unreadable(broken.error().detail(), replyTo(new String(body, StandardCharsets.UTF_8)));
        }
    }

    /** Returns the message in an envelope; the JSON itself if it is not an envelope. */
    private static JsonNode unwrap(JsonNode outer) {
        if (!outer.has(VERSION) || !outer.has(MESSAGE)) {
            return outer;
        }
        RpcVersion version = outer.get(VERSION).isTextual() ? RpcVersion.find(outer.get(VERSION).textValue()) : null;
        if (version == null || version.major() != SUPPORTED_VERSION.major()) {
            throw ApiFault.invalid("the envelope must have version " + SUPPORTED_VERSION.major() + ".x");
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
        String versionText = text(message, "version");
        RpcVersion version = versionText == null ? RpcVersion.FIRST : RpcVersion.find(versionText);
        if (version == null) {
            throw ApiFault.invalid("version: must be two numbers");
        }
        String messageId = text(message, "_msg_id");
        String queue = text(message, "_reply_q");
        String globalRequestId = text(message, "_context_global_request_id");
        JsonNode args = message.path("args");
        return new Message(
                method,
                text(message, "namespace"),
                version,
                args.isObject() ? args : JsonNodeFactory.instance.objectNode(),
                messageId == null || queue == null ? null : new Message.ReplyTo(queue, messageId),
                heartbeat(message.path("_timeout")),
                text(message, "_unique_id"),
                globalRequestId != null ? globalRequestId : text(message, "_context_request_id"),
                time(message.path("_context_timestamp")));
    }

    private static @Nullable Duration heartbeat(JsonNode seconds) {
        return seconds.isNumber() && seconds.doubleValue() > 0 && seconds.doubleValue() < HEARTBEAT_SECONDS_MAX
                ? Duration.ofMillis((long) (seconds.doubleValue() * 1_000))
                : null;
    }

    /**
     * Parses a UTC time without an offset. Returns null for any other value; the message then has no time, and its
     * caller counts as one that may have given up waiting.
     */
    private static @Nullable Instant time(JsonNode value) {
        try {
            return value.isTextual() ? LocalDateTime.parse(value.textValue()).toInstant(ZoneOffset.UTC) : null;
        } catch (DateTimeException invalid) {
            return null;
        }
    }

    /**
     * Returns the text of a member; null if the member is absent or null. Throws ApiFault for any other value and for a
     * text of more than {@value #NAME_LENGTH_MAX} characters.
     */
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
     * Finds the reply address in a message that cannot be parsed, so that the caller gets an error instead of a
     * timeout. Null if the message has none.
     */
    private static @Nullable Message.ReplyTo replyTo(String body) {
        Matcher queue = REPLY_QUEUE.matcher(body);
        Matcher messageId = MESSAGE_ID.matcher(body);
        return queue.find() && messageId.find()
                ? new Message.ReplyTo(queue.group(VALUE), messageId.group(VALUE))
                : null;
    }
}
