package io.berth.context;

import io.vertx.core.Context;
import io.vertx.core.Vertx;
import java.util.concurrent.Executor;

/** Answers that are made elsewhere, given where their caller is. */
public final class CallerContext {
    private CallerContext() {}

    /**
     * Runs tasks on the Vert.x context of whoever calls this, one after the other and never within a task of its own; at
     * once and wherever they come from, if the caller is on none.
     */
    public static Executor executor() {
        Context caller = Vertx.currentContext();
        return caller == null ? Runnable::run : task -> caller.runOnContext(ignored -> task.run());
    }
}
