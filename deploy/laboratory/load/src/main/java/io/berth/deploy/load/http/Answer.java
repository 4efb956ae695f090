package io.berth.deploy.load.http;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.MissingNode;
import io.vertx.core.buffer.Buffer;
import java.io.IOException;

/**
 * A response.
 *
 * @param bytes of the body
 * @param body null unless the exchange keeps it
 * @param serverTiming the header of that name, or null
 */
public record Answer(int status, long bytes, Buffer body, String serverTiming) {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final int DETAIL_CHARS_MAX = 200;

    /** Returns the body; a missing node if there is none, or it is not JSON. */
    public JsonNode json() {
        try {
            return body == null || body.length() == 0 ? MissingNode.getInstance() : JSON.readTree(body.getBytes());
        } catch (IOException notJson) {
            return MissingNode.getInstance();
        }
    }

    /** Returns {@code code} of the first error in placement's envelope; empty if there is none. */
    public String errorCode() {
        return json().path("errors").path(0).path("code").asText();
    }

    /** Returns one line that describes what is wrong with this response. */
    public Outcome.Wrong wrong(Exchange sent) {
        return wrong(sent.method() + " " + sent.path());
    }

    public Outcome.Wrong wrong(String what) {
        String detail = json().path("errors").path(0).path("detail").asText().strip().replaceAll("\\s+", " ");
        String shown = detail.substring(0, Math.min(detail.length(), DETAIL_CHARS_MAX));
        return new Outcome.Wrong(what + " answered " + status + (shown.isEmpty() ? "" : ": " + shown));
    }
}
