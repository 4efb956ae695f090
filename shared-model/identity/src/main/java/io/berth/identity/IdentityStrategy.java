package io.berth.identity;

import io.smallrye.mutiny.Uni;
import io.vertx.ext.web.RoutingContext;
import jakarta.annotation.Nullable;

/** A way to identify the sender of a request. Called on event loops: neither method blocks. */
public interface IdentityStrategy {
    /** Returns a cached result, or one that needs no I/O; null if {@link #ask} must be called. */
    @Nullable Identification recall(RoutingContext request);

    /** Identifies the sender within a time limit. Never fails and never emits null; may emit on any thread. */
    Uni<Identification> ask(RoutingContext request);
}
