package io.berth.context;

import io.vertx.core.Context;
import io.vertx.core.Vertx;
import java.util.concurrent.Executor;

/** Captures the Vert.x context of a caller, so that a result from another thread can be delivered on that context. */
public final class CallerContext {
    private CallerContext() {}

    /**
     * Returns an executor that runs tasks on the calling thread's Vert.x context, one after the other. If the calling
     * thread has no context, the executor runs each task at once on the thread that submits it.
     */
    public static Executor executor() {
        Context caller = Vertx.currentContext();
        return caller == null ? Runnable::run : task -> caller.runOnContext(ignored -> task.run());
    }
}
