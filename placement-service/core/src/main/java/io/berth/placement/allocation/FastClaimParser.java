package io.berth.placement.allocation;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.JsonToken;
import io.berth.placement.http.Json;
import io.berth.placement.ledger.claim.ConsumerClaim;
import io.berth.placement.ledger.claim.ConsumerClaim.Amount;
import io.berth.placement.ledger.claim.ConsumerClaim.GenerationCheck;
import io.berth.placement.query.UuidText;
import jakarta.annotation.Nullable;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.UUID;

/**
 * A fast parser for the usual form of a claim: every member once, ASCII strings, integers, canonical uuids. The parser
 * reads the body in one pass; to build a JSON tree and validate it takes about three times as long. The parser returns
 * null for every other body, valid or not, and the caller then validates the body against a schema. The schemas from
 * 1.28 on accept every body that this parser accepts, with the same result ({@code FastClaimParserTest}).
 */
final class FastClaimParser {
    /** The longest string value that this parser accepts, in characters. */
    private static final int TEXT_MAX = 255;

    private final JsonParser json;
    private final boolean requiresType;
    private final boolean allowsMappings;
    private @Nullable List<Amount> amounts;
    private @Nullable GenerationCheck generation;
    private @Nullable String projectId;
    private @Nullable String userId;
    private @Nullable String consumerType;
    private boolean hasMappings;

    private FastClaimParser(JsonParser json, boolean requiresType, boolean allowsMappings) {
        this.json = json;
        this.requiresType = requiresType;
        this.allowsMappings = allowsMappings;
    }

    /**
     * Returns the claim; null if there is no body, or the body does not have the usual form.
     *
     * @param requiresType whether the microversion requires a consumer type (from 1.38)
     * @param allowsMappings whether the microversion allows mappings (from 1.34)
     */
    static @Nullable ConsumerClaim parse(
            UUID consumer, @Nullable byte[] body, boolean requiresType, boolean allowsMappings) {
        if (body == null) {
            return null;
        }
        try (JsonParser json = Json.parser(body)) {
            var parser = new FastClaimParser(json, requiresType, allowsMappings);
            return parser.read() ? parser.toClaim(consumer) : null;
        } catch (JsonProcessingException malformed) {
            return null;
        } catch (IOException notText) {
            return null;
        }
    }

    /** Returns the claim; null if a required member is missing. */
    private @Nullable ConsumerClaim toClaim(UUID consumer) {
        return amounts == null || generation == null || projectId == null || userId == null
                || (requiresType && consumerType == null)
                        ? null
                        : new ConsumerClaim(consumer, generation, projectId, userId, consumerType, amounts);
    }

    /** Reads the body. Returns false if it does not have the usual form. */
    private boolean read() throws IOException {
        if (json.nextToken() != JsonToken.START_OBJECT) {
            return false;
        }
        while (json.nextToken() == JsonToken.FIELD_NAME) {
            boolean isUsual = switch (json.currentName()) {
                case "allocations" -> amounts == null && readAllocations();
                case "consumer_generation" -> generation == null && readGeneration();
                case "project_id" -> projectId == null && (projectId = readText()) != null;
                case "user_id" -> userId == null && (userId = readText()) != null;
                case "consumer_type" -> requiresType && consumerType == null && readType();
                case "mappings" -> allowsMappings && !hasMappings && readMappings();
                default -> false;
            };
            if (!isUsual) {
                return false;
            }
        }
        return json.currentToken() == JsonToken.END_OBJECT && json.nextToken() == null;
    }

    private boolean readAllocations() throws IOException {
        List<Amount> parsed = new ArrayList<>();
        amounts = parsed;
        Set<UUID> seen = new HashSet<>();
        if (json.nextToken() != JsonToken.START_OBJECT) {
            return false;
        }
        while (json.nextToken() == JsonToken.FIELD_NAME) {
            UUID provider = UuidText.parseCanonical(json.currentName());
            if (provider == null || !seen.add(provider)) {
                return false;
            }
            boolean isUsual = json.nextToken() == JsonToken.START_OBJECT
                    && json.nextToken() == JsonToken.FIELD_NAME && json.currentName().equals("resources")
                    && readResources(provider, parsed)
                    && json.nextToken() == JsonToken.END_OBJECT;
            if (!isUsual) {
                return false;
            }
        }
        return json.currentToken() == JsonToken.END_OBJECT && !parsed.isEmpty();
    }

    private boolean readResources(UUID provider, List<Amount> parsed) throws IOException {
        Set<String> seen = new HashSet<>();
        if (json.nextToken() != JsonToken.START_OBJECT) {
            return false;
        }
        while (json.nextToken() == JsonToken.FIELD_NAME) {
            String resourceClass = json.currentName();
            if (!seen.add(resourceClass) || !isConstantName(resourceClass) || !isNextWholeNumber()
                    || json.getLongValue() < 1) {
                return false;
            }
            parsed.add(new Amount(provider, resourceClass, json.getLongValue()));
        }
        return json.currentToken() == JsonToken.END_OBJECT && !seen.isEmpty();
    }

    private boolean readGeneration() throws IOException {
        if (json.nextToken() == JsonToken.VALUE_NULL) {
            generation = new GenerationCheck.IsNew();
            return true;
        }
        if (!isWholeNumber()) {
            return false;
        }
        generation = new GenerationCheck.Is(json.getLongValue());
        return true;
    }

    /** Validates the mappings (the providers of each request group), which are not stored. */
    private boolean readMappings() throws IOException {
        hasMappings = true;
        if (json.nextToken() != JsonToken.START_OBJECT) {
            return false;
        }
        Set<String> groups = new HashSet<>();
        while (json.nextToken() == JsonToken.FIELD_NAME) {
            if (!isAscii(json.currentName()) || !groups.add(json.currentName())) {
                return false;
            }
            if (json.nextToken() != JsonToken.START_ARRAY || json.nextToken() == JsonToken.END_ARRAY) {
                return false;
            }
            for (; json.currentToken() != JsonToken.END_ARRAY; json.nextToken()) {
                if (json.currentToken() != JsonToken.VALUE_STRING || UuidText.parseCanonical(json.getText()) == null) {
                    return false;
                }
            }
        }
        return json.currentToken() == JsonToken.END_OBJECT && !groups.isEmpty();
    }

    private boolean readType() throws IOException {
        consumerType = readText();
        return consumerType != null && isConstantName(consumerType);
    }

    /** Returns the next value if it is a string of 1 to 255 printable ASCII characters; otherwise null. */
    private @Nullable String readText() throws IOException {
        if (json.nextToken() != JsonToken.VALUE_STRING) {
            return null;
        }
        String text = json.getText();
        return !text.isEmpty() && text.length() <= TEXT_MAX && isAscii(text) ? text : null;
    }

    private boolean isNextWholeNumber() throws IOException {
        json.nextToken();
        return isWholeNumber();
    }

    /** Returns whether the present value is an integer in the range of a long. */
    private boolean isWholeNumber() throws IOException {
        return json.currentToken() == JsonToken.VALUE_NUMBER_INT
                && json.getNumberType() != JsonParser.NumberType.BIG_INTEGER;
    }

    private static boolean isAscii(String text) {
        for (int i = 0; i < text.length(); i++) {
            if (text.charAt(i) < ' ' || text.charAt(i) > '~') {
                return false;
            }
        }
        return true;
    }

    /**
     * Returns whether the text is a name like {@code CUSTOM_GOLD}: upper case letters, digits and underscores, at least
     * one character.
     */
    private static boolean isConstantName(String text) {
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (!(c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || c == '_')) {
                return false;
            }
        }
        return !text.isEmpty();
    }
}
