package io.berth.context;

import io.quarkus.vertx.core.runtime.context.VertxContextSafetyToggle;
import io.smallrye.common.vertx.VertxContext;
import io.vertx.core.Context;
import io.vertx.core.Vertx;

/** A Vert.x context for work that no request began. */
public final class OwnContext {
    private OwnContext() {}

    /** As a request has one: what its libraries keep there is no other work's. */
    public static Context of(Vertx vertx) {
        Context own = VertxContext.createNewDuplicatedContext(vertx.getOrCreateContext());
        VertxContextSafetyToggle.setContextSafe(own, true);
        return own;
    }
}
