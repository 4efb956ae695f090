package io.berth.identity;

import io.vertx.ext.web.RoutingContext;
import jakarta.annotation.Nullable;
import java.util.List;

/** Reads headers that identify the sender. Authentication strategies must read headers only through this class. */
public final class RequestHeader {
    private RequestHeader() {}

    /**
     * Returns the header's value; null if the request lacks the header. If the header occurs on several lines, joins
     * the lines with commas, as a WSGI server does for upstream (RFC 9110, 5.3). No line is ignored, because a proxy in
     * front of the service may have verified any of the lines.
     */
    public static @Nullable String find(RoutingContext request, String name) {
        List<String> lines = request.request().headers().getAll(name);
        return switch (lines.size()) {
            case 0 -> null;
            case 1 -> lines.getFirst();
            default -> String.join(",", lines);
        };
    }
}
