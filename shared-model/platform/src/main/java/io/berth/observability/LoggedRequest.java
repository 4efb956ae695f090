package io.berth.observability;

import jakarta.annotation.Nullable;
import java.util.regex.Pattern;
import org.jboss.logging.MDC;

/**
 * Adds a request's id to every line that is logged for it, on any thread: the values are in its Vert.x context.
 * <br>Source: OpenStack's {@code x-openstack-request-id}, which identifies the request in responses and, sent with a
 * request, the one that caused it.
 */
public final class LoggedRequest {
    /** The id in the response. */
    public static final String ID = "request_id";
    /** The id of the request that caused this one. */
    public static final String CAUSE = "global_request_id";
    private static final Pattern KNOWN_FORM = Pattern.compile("req-[0-9A-Za-z-]{1,60}");

    private LoggedRequest() {}

    /**
     * Sets the ids of the present request.
     *
     * @param cause the causing request's id as the client sent it; an invalid id is ignored
     */
    public static void begins(String id, @Nullable String cause) {
        MDC.put(ID, id);
        if (cause != null && KNOWN_FORM.matcher(cause).matches()) {
            MDC.put(CAUSE, cause);
        }
    }
}
