package io.berth.context;

import io.vertx.core.Context;
import io.vertx.core.Vertx;
import java.util.concurrent.Executor;

/** Delivers results that are computed elsewhere on their caller's context. */
public final class CallerContext {
    private CallerContext() {}

    /**
     * Returns an executor on the caller's Vert.x context: tasks run one after the other, never within another task of
     * that context. If the caller has no context, tasks run at once on the thread that submits them.
     */
    public static Executor executor() {
        Context caller = Vertx.currentContext();
        return caller == null ? Runnable::run : task -> caller.runOnContext(ignored -> task.run());
    }
}
