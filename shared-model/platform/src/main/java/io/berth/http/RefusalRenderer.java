package io.berth.http;

import jakarta.annotation.Nullable;
import java.util.Map;

/**
 * Renders the error body of a request that the connection guard refuses, or whose response it drops for lack of memory.
 * Each service has one bean of this type. Called on event loops.
 */
public interface RefusalRenderer {
    /**
     * A rendered refusal.
     *
     * @param headers content type and further headers of the response, such as Retry-After for 503
     * @param body the bytes of the response's body
     */
    record RenderedRefusal(Map<String, String> headers, byte[] body) {}

    /**
     * Renders a refusal.
     *
     * @param status the HTTP status, 400 to 599
     * @param detail a sentence for the client
     * @param method the request's method; null if no request has been read on the connection
     * @param accept the header Accept; null if the request has none
     * @param requestId id of the request; null if the connection guard does not know it
     */
    RenderedRefusal refusal(
            int status, String detail, @Nullable String method, @Nullable String accept, @Nullable String requestId);
}
