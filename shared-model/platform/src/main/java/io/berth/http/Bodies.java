package io.berth.http;

import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.net.impl.ConnectionBase;
import java.io.IOException;

/** Admits requests' bodies: a service calls it before it reads one, once it knows that the caller may send it. */
public final class Bodies {
    public static final String NO_ROOM = "Too many bodies are being read.";

    private Bodies() {}

    /** The result of an admission. */
    public enum Admission {
        /** The body may be read. A chunked body is refused later if it turns out to exceed its limit or the budget. */
        ADMITTED,
        /** 413: the announced length exceeds the limit. */
        TOO_LARGE,
        /** 503: the budget has too little left; nothing was read. */
        NO_ROOM
    }

    /**
     * Admits a body; call it on the request's event loop.
     *
     * @param bytesMax limit of this route's bodies
     */
    public static Admission admit(HttpServerRequest request, long bytesMax) {
        GuardHandler guard = ((ConnectionBase) request.connection()).channel().pipeline().get(GuardHandler.class);
        // If the handler is gone, the connection is closed and no body will arrive.
        return guard == null ? Admission.NO_ROOM : guard.admit(bytesMax);
    }

    /**
     * Returns whether the client left in the middle of its body or sent an invalid chunk. RESTEasy wraps the server's
     * exception in that case.
     */
    public static boolean isBroken(Throwable failure) {
        return failure.getClass() == IOException.class
                && failure.getCause() != null
                && failure.getCause().toString().equals(failure.getMessage());
    }
}
