package io.berth.context;

import io.smallrye.mutiny.Uni;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Supplier;

/** A bounded number of threads, for a bounded number of tasks that wait; they end when idle. */
public final class WorkerThreads {
    private static final long IDLE_SECONDS = 60;

    private final ThreadPoolExecutor threads;
    private final Supplier<? extends RuntimeException> refusal;

    /**
     * @param priority as of {@link Thread}
     * @param refusal what a task fails with when too many wait
     */
    @SuppressWarnings("ThreadPriorityCheck") // Counts only where the JVM is told to pass it on: the number of threads is what bounds.
    public WorkerThreads(
            String name, int count, int waitingMax, int priority, Supplier<? extends RuntimeException> refusal) {
        this.refusal = refusal;
        threads = new ThreadPoolExecutor(
                count, count, IDLE_SECONDS, TimeUnit.SECONDS, new ArrayBlockingQueue<>(waitingMax),
                Thread.ofPlatform().name(name + "-", 1).daemon().priority(priority).factory());
        threads.allowCoreThreadTimeOut(true);
    }

    public void stop() {
        threads.shutdownNow();
    }

    /**
     * What nobody waits for any more is not begun, and its failure is not reported.
     *
     * @param caller as of {@link CallerContext#executor}: the result comes there, where nobody leaves meanwhile
     */
    public <T> Uni<T> run(Executor caller, Supplier<T> work) {
        return Uni.createFrom().<T>emitter(result -> {
            AtomicBoolean isBegun = new AtomicBoolean();
            Runnable task = () -> {
                isBegun.set(true);
                try {
                    T done = work.get();
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
