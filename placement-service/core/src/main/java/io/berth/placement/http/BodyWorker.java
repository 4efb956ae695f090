package io.berth.placement.http;

import io.smallrye.mutiny.Uni;
import io.vertx.core.Vertx;
import io.vertx.core.impl.ContextInternal;
import jakarta.annotation.PreDestroy;
import jakarta.inject.Singleton;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

/**
 * Parses large bodies on a worker thread, so that event loops are not blocked. There is one thread, because a parsed
 * body takes many times the memory of its bytes. If {@link #WAITING_MAX} bodies are waiting, a further one is refused
 * with 503.
 */
@Singleton
public final class BodyWorker {
    /** The size in bytes up to which a body is parsed on the caller's thread. */
    static final int INLINE_BYTES_MAX = 64 * 1024;
    /** The most bodies that wait for the thread. */
    private static final int WAITING_MAX = 1_000;
    /** The seconds after which the idle thread ends. */
    private static final long IDLE_SECONDS = 60;

    private final ThreadPoolExecutor thread;

    BodyWorker() {
        thread = new ThreadPoolExecutor(
                1, 1, IDLE_SECONDS, TimeUnit.SECONDS, new ArrayBlockingQueue<>(WAITING_MAX),
                Thread.ofPlatform().name("bodies").daemon().factory());
        thread.allowCoreThreadTimeOut(true);
    }

    @PreDestroy
    void stop() {
        thread.shutdownNow();
    }

    static boolean isLarge(byte[] body) {
        return body != null && body.length > INLINE_BYTES_MAX;
    }

    /** Returns the executor for parsing: the caller's thread for small bodies, the worker thread for large ones. */
    public Executor executorFor(byte[] body) {
        return isLarge(body) ? inContextOfRequest() : Runnable::run;
    }

    /**
     * Runs {@code work}, which parses the body: at once for a small body, on the worker thread for a large one. The
     * worker thread runs {@code work} in the request's Vert.x context.
     */
    public <T> Uni<T> run(byte[] body, Supplier<Uni<T>> work) {
        return isLarge(body)
                ? Uni.createFrom().voidItem().emitOn(inContextOfRequest()).chain(ignored -> work.get())
                : work.get();
    }

    /**
     * Returns an executor that runs tasks on the worker thread in the request's Vert.x context, so that asynchronous
     * results arrive on the request's event loop.
     */
    private Executor inContextOfRequest() {
        var request = (ContextInternal) Vertx.currentContext();
        return request == null ? this::execute : task -> execute(() -> request.dispatch(task));
    }

    private void execute(Runnable task) {
        try {
            thread.execute(task);
        } catch (RejectedExecutionException e) {
            throw ApiException.unavailable("Too many large bodies are queued.");
        }
    }
}
