package io.berth.placement.http;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.JsonLocation;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.StreamReadConstraints;
import com.fasterxml.jackson.core.exc.StreamConstraintsException;
import com.fasterxml.jackson.core.io.JsonEOFException;
import com.fasterxml.jackson.core.io.SerializedString;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.exc.MismatchedInputException;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.vertx.core.Context;
import jakarta.annotation.Nullable;
import java.io.ByteArrayOutputStream;
import java.io.CharConversionException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Map;
import java.util.Objects;

/** Parses JSON of request bodies, with limits of depth and size, and writes JSON of response bodies. */
public final class Json {
    /** The most levels of nesting; a deeper body is refused with 400. The API's own bodies have 7 levels. */
    private static final int DEPTH_MAX = 64;
    /** The most digits of a number; a longer one is refused with 400. */
    private static final int NUMBER_LENGTH_MAX = 100;
    /**
     * The most names, values and brackets in a body; a larger one is refused with 400. Each takes about 80 bytes in a
     * tree, so the largest tree takes a quarter of a heap of 224 MB. Large trees are built one at a time ({@link
     * BodyWorker}).
     */
    private static final int TOKENS_MAX = 700_000;
    private static final String NO_UTF_8 = "Malformed JSON: not UTF-8 text";

    private static final JsonMapper MAPPER = JsonMapper.builder(JsonFactory.builder()
            .streamReadConstraints(StreamReadConstraints.builder()
                    .maxNestingDepth(DEPTH_MAX)
                    .maxNumberLength(NUMBER_LENGTH_MAX)
                    .maxTokenCount(TOKENS_MAX)
                    .build())
            // To intern 50,000 names that occur once would block an event loop.
            .disable(JsonFactory.Feature.INTERN_FIELD_NAMES)
            .build())
            .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
            .build();

    private Json() {}

    /** Writes JSON to a generator. */
    @FunctionalInterface
    public interface Writer {
        void write(JsonGenerator json) throws IOException;
    }

    /** Returns an empty object. */
    public static ObjectNode object() {
        return JsonNodeFactory.instance.objectNode();
    }

    /**
     * Parses a body into a tree. A body larger than {@link BodyWorker#INLINE_BYTES_MAX} must not be parsed on an event
     * loop.
     *
     * @throws ApiException 400 for an empty body, invalid JSON, a body beyond the limits, and a string with a NUL or an
     *         unpaired surrogate, which PostgreSQL cannot store
     */
    public static JsonNode parse(byte[] body) {
        if (body == null || body.length == 0) {
            throw ApiException.badRequest("Malformed JSON: the body is empty");
        }
        assert isAllowedOnThisThread(body) : "a large body is read on an event loop";
        if (!isUtf8(body)) {
            throw ApiException.badRequest(NO_UTF_8);
        }
        JsonNode tree;
        try {
            tree = MAPPER.readTree(body);
        } catch (MismatchedInputException e) {
            // The parser's own message would contain names of Java classes.
            throw ApiException.badRequest("Malformed JSON: there is text after the value");
        } catch (JsonProcessingException e) {
            throw malformed(e);
        } catch (IOException e) {
            throw ApiException.badRequest(NO_UTF_8);
        }
        if (tree.isMissingNode()) {
            throw ApiException.badRequest("Malformed JSON: the body is empty");
        }
        refuseUnstorable(tree);
        return tree;
    }

    /**
     * Returns false for UTF-16 and UTF-32, which the parser would accept, and for a byte order mark. JSON in UTF-16 or
     * UTF-32 without a mark has a zero byte among the first four.
     */
    private static boolean isUtf8(byte[] body) {
        for (int i = 0; i < Math.min(4, body.length); i++) {
            if (body[i] == 0) {
                return false;
            }
        }
        int first = body.length == 0 ? 0 : body[0] & 0xff;
        return first != 0xef && first != 0xfe && first != 0xff;
    }

    /**
     * Returns a streaming parser with the same limits as {@link #parse}. The caller must refuse strings that PostgreSQL
     * cannot store ({@link #refuseUnstorable(String)}).
     *
     * @throws CharConversionException if the body is in UTF-16 or UTF-32, or begins with a byte order mark
     */
    public static JsonParser parser(byte[] body) throws IOException {
        assert isAllowedOnThisThread(body) : "a large body is read on an event loop";
        if (!isUtf8(body)) {
            throw new CharConversionException(NO_UTF_8);
        }
        return MAPPER.getFactory().createParser(body);
    }

    private static boolean isAllowedOnThisThread(byte[] body) {
        return !BodyWorker.isLarge(body) || !Context.isOnEventLoopThread();
    }

    /**
     * Returns a 400 that contains the position and the reason. The parser's own message would contain names of Java
     * classes and options.
     */
    public static ApiException malformed(JsonProcessingException failure) {
        String reason = switch (failure) {
            case JsonEOFException _ -> "it ends too early";
            case StreamConstraintsException limit when limit.getOriginalMessage().contains("nesting") ->
                "it is nested deeper than " + DEPTH_MAX;
            case StreamConstraintsException limit when limit.getOriginalMessage().startsWith("Token count") ->
                "it has more than " + TOKENS_MAX + " names, values and brackets";
            case StreamConstraintsException _ -> "a number, a name or a text is too long";
            default -> "unexpected text";
        };
        JsonLocation position = failure.getLocation();
        return ApiException.badRequest("Malformed JSON: " + reason
                + (position == null
                        ? ""
                        : " (line %d, column %d)".formatted(position.getLineNr(), position.getColumnNr())));
    }

    private static void refuseUnstorable(JsonNode node) {
        if (node.isTextual()) {
            refuseUnstorable(node.textValue());
        } else if (node.isObject()) {
            for (Map.Entry<String, JsonNode> member : node.properties()) {
                refuseUnstorable(member.getKey());
                refuseUnstorable(member.getValue());
            }
        } else if (node.isArray()) {
            node.forEach(Json::refuseUnstorable);
        }
    }

    /** Refuses with 400 a string that PostgreSQL cannot store: one with a NUL or an unpaired surrogate. */
    public static void refuseUnstorable(String text) {
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (c == 0) {
                throw ApiException.badRequest("JSON does not validate: a string contains a NUL character");
            }
            if (Character.isSurrogate(c)) {
                if (Character.isHighSurrogate(c) && i + 1 < text.length()
                        && Character.isLowSurrogate(text.charAt(i + 1))) {
                    i++;
                } else {
                    throw ApiException.badRequest("JSON does not validate: a string contains an unpaired surrogate");
                }
            }
        }
    }

    /**
     * Refuses a body with 400 unless the condition holds.
     *
     * @param otherwise the end of the error message
     */
    public static void require(boolean holds, String otherwise) {
        if (!holds) {
            throw ApiException.badRequest("JSON does not validate: " + otherwise);
        }
    }

    /** Returns the value; refuses a body with 400, as {@link #require} does, if the value is null. */
    public static <T> T requirePresent(@Nullable T value, String otherwise) {
        require(value != null, otherwise);
        return Objects.requireNonNull(value);
    }

    /** Writes one JSON document in UTF-8. */
    public static byte[] write(Writer writer) {
        var bytes = new ByteArrayOutputStream(512);
        try (JsonGenerator json = MAPPER.getFactory().createGenerator(bytes)) {
            writer.write(json);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return bytes.toByteArray();
    }

    /** Writes one JSON object in UTF-8. */
    public static byte[] writeObject(Writer members) {
        return write(json -> {
            json.writeStartObject();
            members.write(json);
            json.writeEndObject();
        });
    }

    public static byte[] write(JsonNode tree) {
        return write(json -> MAPPER.writeTree(json, tree));
    }

    /** Returns the text as a JSON string with quotes and escapes, in UTF-8, for JSON that is assembled from bytes. */
    public static byte[] quoted(String text) {
        byte[] inside = new SerializedString(text).asQuotedUTF8();
        byte[] all = new byte[inside.length + 2];
        all[0] = '"';
        System.arraycopy(inside, 0, all, 1, inside.length);
        all[all.length - 1] = '"';
        return all;
    }
}
