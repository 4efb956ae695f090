package io.berth.identity;

import io.vertx.ext.web.RoutingContext;
import jakarta.annotation.Nullable;
import java.util.List;

/** Reads headers that identify the sender; strategies use only this. */
public final class RequestHeader {
    private RequestHeader() {}

    /**
     * Returns null if the request has none. Several lines are joined with a comma, as a WSGI server passes them to
     * upstream (RFC 9110, 5.3): trusting only one of them would trust what a proxy, which reads another, never checked.
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
