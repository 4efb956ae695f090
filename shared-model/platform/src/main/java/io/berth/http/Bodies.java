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
        /** It may be read. A chunked body that turns out to exceed its limit or the budget is refused then. */
        ADMITTED,
        /** 413: the announced length exceeds the limit. */
        TOO_LARGE,
        /** 503: the budget has too little left; nothing was read. */
        NO_ROOM
    }

    /**
     * Admits a body; call it on the request's event loop.
     *
     * @param bytesMax of this route's bodies
     */
    public static Admission admit(HttpServerRequest request, long bytesMax) {
        GuardHandler guard = ((ConnectionBase) request.connection()).channel().pipeline().get(GuardHandler.class);
        // Without handlers the connection is closed, so no body will arrive.
        return guard == null ? Admission.NO_ROOM : guard.admit(bytesMax);
    }

    /** The client left in the middle of its body, or sent an invalid chunk: RESTEasy wraps the server's exception. */
    public static boolean isBroken(Throwable failure) {
        return failure.getClass() == IOException.class
                && failure.getCause() != null
                && failure.getCause().toString().equals(failure.getMessage());
    }
}
