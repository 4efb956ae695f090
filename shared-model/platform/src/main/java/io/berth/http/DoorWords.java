package io.berth.http;

import jakarta.annotation.Nullable;
import java.util.Map;

/** Renders a service's error body for requests that the connection guard refuses before a route could. */
public interface DoorWords {
    /** @param headers content type and further headers of such a response, for 503 its Retry-After */
    record Worded(Map<String, String> headers, byte[] body) {}

    /**
     * Renders a refusal.
     *
     * @param status of HTTP, 400 to 599
     * @param detail a sentence for the client
     * @param method as the client sent it, null if it could not be read
     * @param accept the header, null for none
     * @param requestId of a request that was admitted before, null if it has none yet
     */
    Worded refusal(
            int status, String detail, @Nullable String method, @Nullable String accept, @Nullable String requestId);
}
