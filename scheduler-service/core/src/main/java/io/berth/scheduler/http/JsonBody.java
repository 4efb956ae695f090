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
 * Reads a request body as one JSON value, with limits on what it may be made of. What bodies are made into takes part of
 * the heap, an eighth, until their requests are answered; those of more than 64 KB another eighth, so that large
 * ones are not in the way of the usual.
 */
public final class JsonBody {
    private static final int DEPTH_MAX = 100;
    /** 255 characters, as many as names have anywhere in nova. Each value's path repeats the names that lead to it. */
    private static final int NAME_BYTES_MAX = 4 * 255;
    /** Names, values and brackets. As a tree they take up to 50 bytes each: a sixth of the heap of 224 MB. */
    private static final long TOKENS_MAX = 700_000;
    /** An event loop takes a tenth of a second to read so many, and is not the only one. */
    private static final long TOKENS_AT_ONCE_MAX = TOKENS_MAX / 4;
    private static final int TOKEN_BYTES = 50;
    /** As a request writes a number. What was accepted is read as jsonb writes it: 1e-300 is 302 digits. */
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
                // 50,000 names that nobody uses again block an event loop while they go into the JVM's table.
                .disable(JsonFactory.Feature.INTERN_FIELD_NAMES)
                .build())
                .reader()
                .with(DeserializationFeature.FAIL_ON_TRAILING_TOKENS);
    }

    /**
     * Of a client. Throws {@link ApiFault} (400) for anything but one JSON value, for a member given twice, for text that
     * PostgreSQL cannot hold (NUL, half of a surrogate pair); 413 for more than an event loop reads; 503 where what others
     * hold leaves no room.
     */
    public static JsonNode ofRequest(byte[] body) {
        return parse(body, REQUESTS);
    }

    /** The same of four times as much, for a thread that reads one at a time. */
    public static JsonNode ofLargeRequest(byte[] body) {
        return parse(body, LARGE_REQUESTS);
    }

    /** The same of what was accepted before, or comes from a service that is trusted: however much it is. */
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
            // Its own words name our classes.
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

    /** Until the request is over: a decision goes on when its client has gone. */
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

    /** Where the text stops to be JSON, and why; the parser's own words name its classes, options and source. */
    static String complaint(JsonProcessingException broken) {
        String why = switch (broken) {
            case JsonEOFException _ -> "it ends too early";
            case StreamConstraintsException limit when limit.getOriginalMessage().contains("nesting") ->
                "it is nested deeper than " + DEPTH_MAX;
            case StreamConstraintsException _ -> "a number, a name or a text is too long";
            case JsonProcessingException other when other.getOriginalMessage().startsWith("Duplicate field") ->
                "a member is there twice";
            default -> "unexpected text";
        };
        JsonLocation where = broken.getLocation();
        return "the body is not JSON: " + why
                + (where == null ? "" : " (line %d, column %d)".formatted(where.getLineNr(), where.getColumnNr()));
    }

    /**
     * Where the first such text is, from the node on, and what is wrong with it; null if there is none. The path is put
     * together on the way back: it may be deep, and would be copied for each.
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
