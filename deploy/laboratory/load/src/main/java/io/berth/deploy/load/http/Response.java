package io.berth.deploy.load.http;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.MissingNode;
import io.vertx.core.buffer.Buffer;
import java.io.IOException;

/**
 * A response.
 *
 * @param status the HTTP status; 0 if there was no response
 * @param bytes the size of the body
 * @param body the body; null unless {@link Exchange#keepsBody}
 * @param serverTiming the value of the header Server-Timing; null if there is none
 */
public record Response(int status, long bytes, Buffer body, String serverTiming) {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final int DETAIL_CHARS_MAX = 200;

    /** Returns the body as JSON; a missing node if the body was not kept, is empty or is not JSON. */
    public JsonNode json() {
        try {
            return body == null || body.length() == 0 ? MissingNode.getInstance() : JSON.readTree(body.getBytes());
        } catch (IOException e) {
            return MissingNode.getInstance();
        }
    }

    /** Returns the code of the first error in the member {@code errors}; empty if there is none. */
    public String errorCode() {
        return json().path("errors").path(0).path("code").asText();
    }

    /** Returns the outcome for an unexpected response: one line with the request, the status and the first error. */
    public Outcome.Wrong wrong(Exchange exchange) {
        return wrong(exchange.method() + " " + exchange.path());
    }

    /**
     * Returns the outcome for an unexpected response, like {@link #wrong(Exchange)}.
     *
     * @param request what was requested, for the message
     */
    public Outcome.Wrong wrong(String request) {
        String detail = json().path("errors").path(0).path("detail").asText().strip().replaceAll("\\s+", " ");
        String excerpt = detail.substring(0, Math.min(detail.length(), DETAIL_CHARS_MAX));
        return new Outcome.Wrong(request + " answered " + status + (excerpt.isEmpty() ? "" : ": " + excerpt));
    }
}
