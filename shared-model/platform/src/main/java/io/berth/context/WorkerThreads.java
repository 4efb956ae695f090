package io.berth.context;

import io.smallrye.mutiny.Uni;
import jakarta.annotation.Nullable;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Supplier;

/** Runs tasks from a bounded queue on a limited number of threads. Idle threads end. */
public final class WorkerThreads {
    private static final long IDLE_SECONDS = 60;

    private final ThreadPoolExecutor threads;
    private final Supplier<? extends RuntimeException> refusal;
    private final @Nullable CooperativeYield yielding;

    /** @param refusal the failure of a task if the queue is full */
    public WorkerThreads(String name, int count, int waitingMax, Supplier<? extends RuntimeException> refusal) {
        this(name, count, waitingMax, Thread.NORM_PRIORITY, null, refusal);
    }

    /**
     * Creates threads of low priority, which the JVM passes on to Linux if its options say so.
     *
     * @param yielding applies to their work in {@link CooperativeYield#yieldIfDue}; null if the work does not yield
     */
    public WorkerThreads(
            String name, int count, int waitingMax, @Nullable CooperativeYield yielding,
            Supplier<? extends RuntimeException> refusal) {
        this(name, count, waitingMax, Thread.MIN_PRIORITY, yielding, refusal);
    }

    @SuppressWarnings("ThreadPriorityCheck") // Correctness does not depend on it.
    private WorkerThreads(
            String name, int count, int waitingMax, int priority, @Nullable CooperativeYield yielding,
            Supplier<? extends RuntimeException> refusal) {
        this.refusal = refusal;
        this.yielding = yielding;
        threads = new ThreadPoolExecutor(
                count, count, IDLE_SECONDS, TimeUnit.SECONDS, new ArrayBlockingQueue<>(waitingMax),
                Thread.ofPlatform().name(name + "-", 1).daemon().priority(priority).factory());
        threads.allowCoreThreadTimeOut(true);
    }

    public void stop() {
        threads.shutdownNow();
    }

    /**
     * Runs the work, unless its caller has left before it begins.
     *
     * @param caller see {@link CallerContext#executor}: receives the result or failure, unless the caller has left
     */
    public <T> Uni<T> run(Executor caller, Supplier<T> work) {
        return Uni.createFrom().<T>emitter(result -> {
            AtomicBoolean isBegun = new AtomicBoolean();
            Runnable task = () -> {
                isBegun.set(true);
                try {
                    T done = yielding == null ? work.get() : yielding.during(work);
                    caller.execute(() -> result.complete(done));
                } catch (Throwable failure) {
                    caller.execute(() -> result.fail(failure));
                }
            };
            result.onTermination(() -> {
                if (!isBegun.get()) {
                    threads.remove(task);
                }
            });
            threads.execute(task);
        }).onFailure(RejectedExecutionException.class).transform(full -> refusal.get());
    }
}
