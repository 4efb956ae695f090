package io.berth.scheduler.http;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonLocation;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.StreamReadConstraints;
import com.fasterxml.jackson.core.StreamReadFeature;
import com.fasterxml.jackson.core.exc.StreamConstraintsException;
import com.fasterxml.jackson.core.io.JsonEOFException;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.ObjectReader;
import com.fasterxml.jackson.databind.exc.MismatchedInputException;
import io.berth.http.Budget;
import jakarta.annotation.Nullable;
import java.io.IOException;
import org.jboss.resteasy.reactive.server.core.CurrentRequestManager;
import org.jboss.resteasy.reactive.server.core.ResteasyReactiveRequestContext;

/**
 * Reads a request body as one JSON value, with limits on its structure. Parsed bodies may take an eighth of the heap
 * until their requests end; those of more than 64 KB share another eighth, so that large bodies do not block the
 * usual ones.
 */
public final class JsonBody {
    private static final int DEPTH_MAX = 100;
    /**
     * Maximum bytes of a name: 255 characters, as for names in nova. The path of each value repeats the names that
     * lead to it.
     */
    private static final int NAME_BYTES_MAX = 4 * 255;
    /** Maximum names, values and brackets. As a tree they take up to 50 bytes each: a sixth of a heap of 224 MB. */
    private static final long TOKENS_MAX = 700_000;
    /**
     * Maximum tokens of a body that is read on an event loop: that takes a tenth of a second, while other requests
     * wait.
     */
    private static final long TOKENS_AT_ONCE_MAX = TOKENS_MAX / 4;
    private static final int TOKEN_BYTES = 50;
    /** Maximum digits of a number in a request. Stored values may be longer: jsonb writes 1e-300 with 302 digits. */
    private static final int DIGITS_MAX = 100;
    private static final long USUAL_BYTES_MAX = 64 * 1_024;
    private static final int HEAP_PART = 8;
    private static final Budget USUAL = new Budget(() -> Runtime.getRuntime().maxMemory() / HEAP_PART);
    private static final Budget LARGE = new Budget(() -> Runtime.getRuntime().maxMemory() / HEAP_PART);
    private static final ObjectReader KNOWN = reader(Long.MAX_VALUE, StreamReadConstraints.DEFAULT_MAX_NUM_LEN);
    private static final ObjectReader REQUESTS = reader(TOKENS_AT_ONCE_MAX, DIGITS_MAX);
    private static final ObjectReader LARGE_REQUESTS = reader(TOKENS_MAX, DIGITS_MAX);

    private JsonBody() {}

    private static ObjectReader reader(long tokensMax, int digitsMax) {
        return new ObjectMapper(JsonFactory.builder()
                .streamReadConstraints(StreamReadConstraints.builder()
                        .maxNestingDepth(DEPTH_MAX)
                        .maxNumberLength(digitsMax)
                        .maxNameLength(NAME_BYTES_MAX)
                        .maxTokenCount(tokensMax)
                        .build())
                .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
                // Interning 50,000 names that are not used again would block an event loop.
                .disable(JsonFactory.Feature.INTERN_FIELD_NAMES)
                .build())
                .reader()
                .with(DeserializationFeature.FAIL_ON_TRAILING_TOKENS);
    }

    /**
     * Reads a client's body. Throws {@link ApiFault}: 400 for anything but one JSON value, for a duplicate member,
     * and for text that PostgreSQL cannot store (NUL, half of a surrogate pair); 413 for more than an event loop may
     * read; 503 if other requests take all memory for bodies.
     */
    public static JsonNode ofRequest(byte[] body) {
        return parse(body, REQUESTS);
    }

    /** Like {@link #ofRequest} with a limit four times as high, for a thread that reads one body at a time. */
    public static JsonNode ofLargeRequest(byte[] body) {
        return parse(body, LARGE_REQUESTS);
    }

    /**
     * Like {@link #ofRequest} without a size limit, for data that was accepted before, or comes from a trusted service.
     */
    public static JsonNode parse(byte[] body) {
        return parse(body, KNOWN);
    }

    private static JsonNode parse(byte[] body, ObjectReader reader) {
        JsonNode read;
        long tokens;
        try (JsonParser parser = reader.createParser(body == null ? new byte[0] : body)) {
            read = reader.readTree(parser);
            tokens = parser.currentTokenCount();
        } catch (MismatchedInputException e) {
            // The parser's message contains names of classes.
            throw ApiFault.invalid("the body is not JSON: something follows the value");
        } catch (JsonProcessingException e) {
            throw e instanceof StreamConstraintsException && e.getOriginalMessage().startsWith("Token count")
                    ? new ApiFault(ErrorCode.BODY_TOO_LARGE, "the body has more than "
                            + reader.getFactory().streamReadConstraints().getMaxTokenCount()
                            + " names, values and brackets: send less at a time")
                    : ApiFault.invalid(complaint(e));
        } catch (IOException e) {
            throw ApiFault.invalid("the body is not JSON");
        }
        if (read == null) {
            throw ApiFault.invalid("the body is empty");
        }
        if (reader == REQUESTS) {
            hold(body.length + TOKEN_BYTES * tokens);
        }
        String unstorable = unstorableText(read);
        if (unstorable != null) {
            throw ApiFault.invalid("$" + unstorable);
        }
        return read;
    }

    /** Reserves the memory until the request ends, which may be after its client has gone. */
    private static void hold(long bytes) {
        ResteasyReactiveRequestContext request = CurrentRequestManager.get();
        if (request == null) {
            return;
        }
        Budget budget = bytes > USUAL_BYTES_MAX ? LARGE : USUAL;
        if (!budget.take(bytes)) {
            throw new ApiFault(ErrorCode.OVERLOADED, "too many requests with bodies as large as this one are under way");
        }
        request.registerCompletionCallback(over -> budget.giveBack(bytes));
    }

    /** Returns where and why the text is invalid; the parser's message contains its classes, options and source. */
    static String complaint(JsonProcessingException broken) {
        String why = switch (broken) {
            case JsonEOFException _ -> "it ends too early";
            case StreamConstraintsException limit when limit.getOriginalMessage().contains("nesting") ->
                "it is nested deeper than " + DEPTH_MAX;
            case StreamConstraintsException _ -> "a number, a name or a text is too long";
            case JsonProcessingException other when other.getOriginalMessage().startsWith("Duplicate field") ->
                "a member occurs twice";
            default -> "unexpected text";
        };
        JsonLocation where = broken.getLocation();
        return "the body is not JSON: " + why
                + (where == null ? "" : " (line %d, column %d)".formatted(where.getLineNr(), where.getColumnNr()));
    }

    /**
     * Returns the path, from this node, of the first text that PostgreSQL cannot store, with the error; null if there
     * is none. The path is built on the way back: a deep one would otherwise be copied for each level.
     */
    private static @Nullable String unstorableText(JsonNode node) {
        if (node.isTextual()) {
            return isStorable(node.textValue()) ? null : ": text must not hold NUL or half of a surrogate pair";
        }
        if (node.isArray()) {
            for (int i = 0; i < node.size(); i++) {
                String found = unstorableText(node.get(i));
                if (found != null) {
                    return "[" + i + "]" + found;
                }
            }
        }
        for (var member : node.properties()) {
            if (!isStorable(member.getKey())) {
                return ": a name must not hold NUL or half of a surrogate pair";
            }
            String found = unstorableText(member.getValue());
            if (found != null) {
                return "." + member.getKey() + found;
            }
        }
        return null;
    }

    private static boolean isStorable(String text) {
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (c == 0 || Character.isLowSurrogate(c)) {
                return false;
            }
            if (Character.isHighSurrogate(c)
                    && (++i == text.length() || !Character.isLowSurrogate(text.charAt(i)))) {
                return false;
            }
        }
        return true;
    }
}
