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
import io.berth.http.ByteBudget;
import jakarta.annotation.Nullable;
import java.io.IOException;
import org.jboss.resteasy.reactive.server.core.CurrentRequestManager;
import org.jboss.resteasy.reactive.server.core.ResteasyReactiveRequestContext;

/**
 * Parses a request body as one JSON value, with limits on its structure. Also limits the memory of the bodies that
 * {@link #ofRequest} parses, until their requests end: bodies of up to 64 KB (estimated, as parsed) may use 1/8 of the
 * heap together, and larger bodies another 1/8, so that large bodies cannot block the usual ones. A request whose body
 * does not fit in its part of the heap gets 503.
 */
public final class JsonBody {
    /** Maximum nesting of objects and lists; a deeper body gets 400. */
    private static final int DEPTH_MAX = 100;
    /**
     * Maximum UTF-8 bytes of a member's name, enough for 255 characters as in nova; a longer name gets 400. The limit
     * also bounds the paths in errors, which contain the names.
     */
    private static final int NAME_BYTES_MAX = 4 * 255;
    /**
     * Maximum tokens (names, values and brackets) of a body for {@link #ofLargeRequest}; a body with more gets 413. In
     * the parsed tree a token takes up to 50 bytes, so the largest body uses 1/6 of a heap of 224 MB.
     */
    private static final long TOKENS_MAX = 700_000;
    /**
     * Maximum tokens of a body that is parsed on an event loop; a body with more gets 413. Parsing takes a tenth of a
     * second at most, during which the event loop serves no other request.
     */
    private static final long EVENT_LOOP_TOKENS_MAX = TOKENS_MAX / 4;
    /** Estimated heap bytes of a token. */
    private static final int TOKEN_BYTES = 50;
    /**
     * Maximum digits of a number in a request; more get 400. Stored values may have as many digits as Jackson accepts
     * by default (1,000), because jsonb writes 1e-300 with 302 digits.
     */
    private static final int DIGITS_MAX = 100;
    /** Maximum estimated heap bytes of a body that uses the budget of the usual bodies. */
    private static final long USUAL_BYTES_MAX = 64 * 1_024;
    /** Each of the two budgets is 1/8 of the heap. */
    private static final int HEAP_DIVISOR = 8;
    private static final ByteBudget USUAL = new ByteBudget(() -> Runtime.getRuntime().maxMemory() / HEAP_DIVISOR);
    private static final ByteBudget LARGE = new ByteBudget(() -> Runtime.getRuntime().maxMemory() / HEAP_DIVISOR);
    private static final ObjectReader TRUSTED = reader(Long.MAX_VALUE, StreamReadConstraints.DEFAULT_MAX_NUM_LEN);
    private static final ObjectReader REQUESTS = reader(EVENT_LOOP_TOKENS_MAX, DIGITS_MAX);
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
     * Parses a request body; may be called on an event loop. Throws {@link ApiFault}: 400 for anything but one JSON
     * value, for a duplicate member, for nesting, names, numbers or strings beyond the limits, and for text that
     * PostgreSQL cannot store (NUL, an unpaired surrogate); 413 for too many tokens; 503 if bodies of other requests
     * use the memory for bodies.
     */
    public static JsonNode ofRequest(byte[] body) {
        return parse(body, REQUESTS);
    }

    /**
     * Like {@link #ofRequest} with four times the limit of tokens and without the limit of memory. Only for a worker
     * thread that parses one body at a time.
     */
    public static JsonNode ofLargeRequest(byte[] body) {
        return parse(body, LARGE_REQUESTS);
    }

    /**
     * Like {@link #ofRequest} without limits of tokens and memory, and with numbers of up to 1,000 digits, for stored
     * data and responses of a trusted service.
     */
    public static JsonNode parse(byte[] body) {
        return parse(body, TRUSTED);
    }

    private static JsonNode parse(byte[] body, ObjectReader reader) {
        JsonNode parsed;
        long tokens;
        try (JsonParser parser = reader.createParser(body == null ? new byte[0] : body)) {
            parsed = reader.readTree(parser);
            tokens = parser.currentTokenCount();
        } catch (MismatchedInputException e) {
            // Replaces the parser's message, which contains names of classes.
            throw ApiFault.invalid("the body is not JSON: there is text after the value");
        } catch (JsonProcessingException e) {
            throw e instanceof StreamConstraintsException && e.getOriginalMessage().startsWith("Token count")
                    ? new ApiFault(ErrorCode.BODY_TOO_LARGE, "the body has more than "
                            + reader.getFactory().streamReadConstraints().getMaxTokenCount()
                            + " names, values and brackets: send less at a time")
                    : ApiFault.invalid(describeSyntaxError(e));
        } catch (IOException e) {
            throw ApiFault.invalid("the body is not JSON");
        }
        if (parsed == null) {
            throw ApiFault.invalid("the body is empty");
        }
        if (reader == REQUESTS) {
            reserveMemory(body.length + TOKEN_BYTES * tokens);
        }
        String unstorable = unstorableText(parsed);
        if (unstorable != null) {
            throw ApiFault.invalid("$" + unstorable);
        }
        return parsed;
    }

    /**
     * Reserves the memory until the current request ends, which may be after its client has disconnected. Does nothing
     * outside a request.
     */
    private static void reserveMemory(long bytes) {
        ResteasyReactiveRequestContext request = CurrentRequestManager.get();
        if (request == null) {
            return;
        }
        ByteBudget budget = bytes > USUAL_BYTES_MAX ? LARGE : USUAL;
        if (!budget.reserve(bytes)) {
            throw new ApiFault(ErrorCode.OVERLOADED,
                    "too many requests with bodies as large as this one are under way");
        }
        request.registerCompletionCallback(over -> budget.release(bytes));
    }

    /**
     * Returns a sentence with the reason and the position of a syntax error. Does not use the parser's message, which
     * contains names of classes and options, and parts of the body.
     */
    static String describeSyntaxError(JsonProcessingException invalid) {
        String why = switch (invalid) {
            case JsonEOFException _ -> "it ends too early";
            case StreamConstraintsException limit when limit.getOriginalMessage().contains("nesting") ->
                "it is nested deeper than " + DEPTH_MAX;
            case StreamConstraintsException _ -> "a number, a name or a text is too long";
            case JsonProcessingException other when other.getOriginalMessage().startsWith("Duplicate field") ->
                "a member occurs twice";
            default -> "unexpected text";
        };
        JsonLocation position = invalid.getLocation();
        return "the body is not JSON: " + why
                + (position == null
                        ? ""
                        : " (line %d, column %d)".formatted(position.getLineNr(), position.getColumnNr()));
    }

    /**
     * Returns the path, from this node, of the first text that PostgreSQL cannot store, followed by the error; null if
     * there is none. Builds the path only for an error, when the recursion returns.
     */
    private static @Nullable String unstorableText(JsonNode node) {
        if (node.isTextual()) {
            return isStorable(node.textValue()) ? null : ": must not contain NUL or an unpaired surrogate";
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
                return ": a name must not contain NUL or an unpaired surrogate";
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
