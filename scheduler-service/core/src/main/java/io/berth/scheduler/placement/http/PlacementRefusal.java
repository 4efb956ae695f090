package io.berth.scheduler.placement.http;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import jakarta.annotation.Nullable;
import java.io.IOException;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Code and text of placement's error body.
 *
 * @param code {@code placement.*}, or empty when the body names none
 * @param detail on one line; empty when the body is not placement's
 * @param fence highest number that was used for the consumer, if a write is refused for its number; else null
 */
record PlacementRefusal(String code, String detail, @Nullable Long fence) {
    private static final JsonFactory JSON = new JsonFactory();
    static final String CONCURRENT_UPDATE = "placement.concurrent_update";
    private static final String ABSENT_PROVIDER = "that does not exist";
    private static final String CONSUMER_CONFLICT = "consumer generation conflict";
    private static final Pattern EXPECTED = Pattern.compile(CONSUMER_CONFLICT + " - expected ([0-9]{1,18}) ");

    /** Returns whether another client wrote first: another user of the provider, or another writer of this consumer. */
    boolean isConcurrentUpdate() {
        return code.equals(CONCURRENT_UPDATE);
    }

    /** Returns whether the consumer, not a provider, changed. Placement distinguishes them only by the text. */
    boolean isConsumerConflict() {
        return isConcurrentUpdate() && detail.contains(CONSUMER_CONFLICT);
    }

    /**
     * Returns, for a consumer conflict, the generation that a claim must have; null if it must have none or the text
     * does not contain it.
     */
    @Nullable Long consumerGeneration() {
        Matcher expected = EXPECTED.matcher(detail);
        return expected.find() ? Long.valueOf(expected.group(1)) : null;
    }

    /** Removes the line breaks and blanks that placement's framework puts around its texts, and into some. */
    private static String oneLine(String text) {
        return text.strip().replaceAll("\\s+", " ");
    }

    /**
     * Returns whether a candidate's provider was deleted since: placement responds 400 to that, as to an invalid
     * claim.
     */
    boolean namesAnAbsentProvider() {
        return detail.contains(ABSENT_PROVIDER);
    }

    /** Returns whether the body is an error body of placement at all: an object with a list of errors. */
    static boolean isOne(byte[] body) {
        try (JsonParser json = JSON.createParser(body)) {
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
        } catch (IOException notJson) {
            return false;
        }
    }

    /** Returns the fence of a response that refuses a number as too low; null for any other response. */
    static @Nullable Long fenceOf(PlacementHttp.Answer answer) {
        return answer.status() == 409 ? parse(answer.body().getBytes()).fence() : null;
    }

    /** Reads the first error of the body; an unreadable body gives empty texts. */
    static PlacementRefusal parse(byte[] body) {
        String code = "";
        String detail = "";
        Long fence = null;
        try (JsonParser json = JSON.createParser(body)) {
            int depth = 0;
            for (JsonToken token = json.nextToken(); token != null; token = json.nextToken()) {
                if (token.isStructStart()) {
                    depth++;
                } else if (token.isStructEnd() && --depth <= 1) {
                    break;
                } else if (token == JsonToken.FIELD_NAME && depth == 3) {
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
            }
        } catch (IOException notJson) {
            return new PlacementRefusal("", "", null);
        }
        return new PlacementRefusal(code, detail, fence);
    }
}
