package io.berth.identity;

import io.smallrye.mutiny.Uni;
import io.vertx.ext.web.RoutingContext;
import jakarta.annotation.Nullable;

/** One way of finding out who asks. Called on event loops: neither method blocks. */
public interface IdentityStrategy {
    /** What memory knows, or what needs no asking; null when {@link #ask} must be called. */
    @Nullable Identification recall(RoutingContext request);

    /** Finds out, within a limit in time. Never fails and never emits null; may emit on any thread. */
    Uni<Identification> ask(RoutingContext request);
}
