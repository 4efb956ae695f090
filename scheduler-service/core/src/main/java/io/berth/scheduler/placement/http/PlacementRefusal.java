package io.berth.scheduler.placement.http;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import jakarta.annotation.Nullable;
import java.io.IOException;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The first error in placement's error body. Placement's array {@code errors} has one element.
 *
 * @param code {@code placement.*}, or {@code berth.*} for an error that only Berth has; empty if the body has none
 * @param detail the message, on one line; empty if the body has none
 * @param fence if placement refused the fence number of a write, the highest number used for the consumer before;
 *     otherwise null
 */
record PlacementRefusal(String code, String detail, @Nullable Long fence) {
    private static final JsonFactory JSON = new JsonFactory();
    static final String CONCURRENT_UPDATE = "placement.concurrent_update";
    // Parts of placement's messages, for cases that placement does not distinguish by status and code.
    private static final String ABSENT_PROVIDER = "that does not exist";
    private static final String CONSUMER_CONFLICT = "consumer generation conflict";
    private static final Pattern EXPECTED = Pattern.compile(CONSUMER_CONFLICT + " - expected ([0-9]{1,18}) ");

    /** Returns whether another client wrote the provider or the consumer concurrently. */
    boolean isConcurrentUpdate() {
        return code.equals(CONCURRENT_UPDATE);
    }

    /**
     * Returns whether another client wrote the consumer, not a provider, concurrently. Placement distinguishes these
     * cases only in the detail.
     */
    boolean isConsumerConflict() {
        return isConcurrentUpdate() && detail.contains(CONSUMER_CONFLICT);
    }

    /**
     * Returns for a consumer conflict the present generation of the consumer; null if the consumer has none, or if the
     * detail does not contain the generation.
     */
    @Nullable Long consumerGeneration() {
        Matcher expected = EXPECTED.matcher(detail);
        return expected.find() ? Long.valueOf(expected.group(1)) : null;
    }

    /** Replaces each run of whitespace by a blank: placement's web framework breaks its messages into lines. */
    private static String oneLine(String text) {
        return text.strip().replaceAll("\\s+", " ");
    }

    /**
     * Returns whether a provider of the claim was deleted since the candidates were read. Placement responds 400 then,
     * as it does to an invalid claim.
     */
    boolean namesAnAbsentProvider() {
        return detail.contains(ABSENT_PROVIDER);
    }

    /** Returns whether a body is an error body of placement: an object with an array {@code errors}. */
    static boolean isErrorBody(byte[] body) {
        try (JsonParser json = JSON.createParser(body)) {
            return findErrors(json);
        } catch (IOException notJson) {
            return false;
        }
    }

    /** Returns the {@code fence} of a response that refuses a fence number as too low; null for any other response. */
    static @Nullable Long fenceOf(PlacementHttp.Response answer) {
        return answer.status() == 409 ? parse(answer.body().getBytes()).fence() : null;
    }

    /** Moves the parser to the start of the array {@code errors}. Returns false if the body has none. */
    private static boolean findErrors(JsonParser json) throws IOException {
        if (json.nextToken() != JsonToken.START_OBJECT) {
            return false;
        }
        while (json.nextToken() == JsonToken.FIELD_NAME) {
            boolean errors = json.currentName().equals("errors");
            if (json.nextToken() == JsonToken.START_ARRAY && errors) {
                return true;
            }
            json.skipChildren();
        }
        return false;
    }

    /**
     * Parses the first error of a body. If it is not JSON, or has no error, the texts are empty and the fence is null.
     */
    static PlacementRefusal parse(byte[] body) {
        String code = "";
        String detail = "";
        Long fence = null;
        try (JsonParser json = JSON.createParser(body)) {
            if (!findErrors(json) || json.nextToken() != JsonToken.START_OBJECT) {
                return new PlacementRefusal("", "", null);
            }
            while (json.nextToken() == JsonToken.FIELD_NAME) {
                String name = json.currentName();
                JsonToken value = json.nextToken();
                if (value.isStructStart()) {
                    json.skipChildren();
                } else if (name.equals("code")) {
                    code = json.getText();
                } else if (name.equals("detail")) {
                    detail = oneLine(json.getText());
                } else if (name.equals("fence") && value == JsonToken.VALUE_NUMBER_INT) {
                    fence = json.getLongValue();
                }
            }
        } catch (IOException notJson) {
            return new PlacementRefusal("", "", null);
        }
        return new PlacementRefusal(code, detail, fence);
    }
}
