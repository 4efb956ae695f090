package io.berth.observability;

import jakarta.annotation.Nullable;
import java.util.regex.Pattern;
import org.jboss.logging.MDC;

/**
 * Adds the ids of a request to every line that is logged for the request, on any thread. The ids are in the request's
 * Vert.x context, which Quarkus' MDC uses.
 * <br>Source: OpenStack's request ids, in the headers {@code x-openstack-request-id} of a response and of a request
 * that another service sends.
 */
public final class LoggedRequest {
    /** Name in the log of the request's own id, which the response also has. */
    public static final String ID = "request_id";
    /** Name in the log of the id of the request that caused this one, as the client sent it. */
    public static final String CAUSE = "global_request_id";
    private static final Pattern ID_FORM = Pattern.compile("req-[0-9A-Za-z-]{1,60}");

    private LoggedRequest() {}

    /**
     * Sets the ids of the current request. Call it on the request's Vert.x context.
     *
     * @param id the request's own id
     * @param cause the id that the client sent; null for none. An invalid id is ignored
     */
    public static void setIds(String id, @Nullable String cause) {
        MDC.put(ID, id);
        if (cause != null && ID_FORM.matcher(cause).matches()) {
            MDC.put(CAUSE, cause);
        }
    }
}
