package io.berth.identity;

import io.vertx.ext.web.RoutingContext;
import jakarta.annotation.Nullable;
import java.util.List;

/** Reads headers that identify the sender. Authentication strategies must read headers only through this class. */
public final class RequestHeader {
    private RequestHeader() {}

    /**
     * Returns the header's value; null if the request has none. Joins several lines with commas, as a WSGI server does
     * for upstream (RFC 9110, 5.3): a proxy may have checked another line than the first, so none may be ignored.
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
