package io.berth.http;

import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.net.impl.ConnectionBase;
import java.io.IOException;

/**
 * Admits request bodies. A service calls {@link #admit} after it has authorized the caller and before it reads the
 * body.
 */
public final class Bodies {
    /** The error message of a refusal for lack of memory. */
    public static final String NO_ROOM_DETAIL = "Too many bodies are being read.";

    private Bodies() {}

    /** The result of an admission. */
    public enum Admission {
        /**
         * The body may be read. A chunked body, whose length is unknown, is refused later if it exceeds the limit or
         * the budget.
         */
        ADMITTED,
        /** Respond with 413: the length in the request's head exceeds the limit. */
        TOO_LARGE,
        /**
         * Respond with 503: the memory budget for bodies has fewer free bytes than the body needs, or the client has
         * closed the connection.
         */
        NO_ROOM
    }

    /**
     * Decides whether the body may be read. Call it on the request's event loop.
     *
     * @param bytesMax maximum size of a body of this route
     */
    public static Admission admit(HttpServerRequest request, long bytesMax) {
        GuardHandler guard = ((ConnectionBase) request.connection()).channel().pipeline().get(GuardHandler.class);
        // Without a guard handler in the pipeline, the connection is closed and no body will arrive.
        return guard == null ? Admission.NO_ROOM : guard.admit(bytesMax);
    }

    /**
     * Returns whether the failure means that the client closed the connection before its whole body had arrived, or
     * sent an invalid chunk. In both cases, RESTEasy wraps the server's exception in an IOException whose message is
     * the text of that exception.
     */
    public static boolean isBrokenBody(Throwable failure) {
        return failure.getClass() == IOException.class
                && failure.getCause() != null
                && failure.getCause().toString().equals(failure.getMessage());
    }
}
