package io.berth.context;

import io.quarkus.vertx.core.runtime.context.VertxContextSafetyToggle;
import io.smallrye.common.vertx.VertxContext;
import io.vertx.core.Context;
import io.vertx.core.Vertx;

/** Creates Vert.x contexts for work that no request began. */
public final class OwnContext {
    private OwnContext() {}

    /** Creates a context like a request's: libraries' local data in it is separate from other work. */
    public static Context of(Vertx vertx) {
        Context own = VertxContext.createNewDuplicatedContext(vertx.getOrCreateContext());
        VertxContextSafetyToggle.setContextSafe(own, true);
        return own;
    }
}
