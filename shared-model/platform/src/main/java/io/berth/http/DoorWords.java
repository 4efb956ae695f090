package io.berth.http;

import jakarta.annotation.Nullable;
import java.util.Map;

/** Renders a service's error body for requests that the connection guard refuses before a route could. */
public interface DoorWords {
    /**
     * A rendered refusal.
     *
     * @param headers content type and further headers of the response, such as Retry-After for 503
     */
    record Worded(Map<String, String> headers, byte[] body) {}

    /**
     * Renders a refusal.
     *
     * @param status the HTTP status, 400 to 599
     * @param detail a sentence for the client
     * @param method as the client sent it, null if it could not be read
     * @param accept the Accept header, null for none
     * @param requestId id of the request if it has one already, otherwise null
     */
    Worded refusal(
            int status, String detail, @Nullable String method, @Nullable String accept, @Nullable String requestId);
}
