package io.berth.identity;

import io.vertx.ext.web.RoutingContext;
import jakarta.annotation.Nullable;
import java.util.List;

/** Reads headers that identify the sender; strategies use only this. */
public final class RequestHeader {
    private RequestHeader() {}

    /**
     * Returns null when the request has none. Of several lines all count, with a comma between them, as a WSGI server hands them to
     * upstream (RFC 9110, 5.3): to believe one of them is to believe what a proxy before that reads another never saw.
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
