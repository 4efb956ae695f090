package io.berth.scheduler.http;

import io.berth.observability.LoggedRequest;
import io.vertx.ext.web.RoutingContext;
import java.util.UUID;

/**
 * The id of one request, {@code req-} and a random uuid. The response's header, error bodies, log lines and the
 * scheduler's requests to placement contain it.
 */
public final class RequestId {
    public static final String HEADER = "x-openstack-request-id";
    private static final String KEY = "berth.request-id";

    private RequestId() {}

    /**
     * Returns the id of this request. The first call generates the id, and adds it to the request's log lines together
     * with the id that the client sent, if any.
     */
    public static String of(RoutingContext request) {
        String known = request.get(KEY);
        if (known != null) {
            return known;
        }
        String id = "req-" + UUID.randomUUID();
        request.put(KEY, id);
        LoggedRequest.setIds(id, request.request().getHeader(HEADER));
        return id;
    }
}
