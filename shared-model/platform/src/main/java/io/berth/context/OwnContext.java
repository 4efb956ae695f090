package io.berth.context;

import io.quarkus.vertx.core.runtime.context.VertxContextSafetyToggle;
import io.smallrye.common.vertx.VertxContext;
import io.vertx.core.Context;
import io.vertx.core.Vertx;

/** Creates Vert.x contexts for background work, which has no request's context. */
public final class OwnContext {
    private OwnContext() {}

    /**
     * Returns a new duplicated context like the context of a request, so that the context-local data of libraries is
     * not shared with other work.
     */
    public static Context create(Vertx vertx) {
        Context context = VertxContext.createNewDuplicatedContext(vertx.getOrCreateContext());
        VertxContextSafetyToggle.setContextSafe(context, true);
        return context;
    }
}
