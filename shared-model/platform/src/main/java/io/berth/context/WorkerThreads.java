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

/**
 * Runs tasks from a bounded queue on a limited number of daemon threads, which end after {@value #IDLE_SECONDS} idle
 * seconds.
 */
public final class WorkerThreads {
    private static final long IDLE_SECONDS = 60;

    private final ThreadPoolExecutor threads;
    private final Supplier<? extends RuntimeException> refusal;
    private final @Nullable CooperativeYield cooperativeYield;

    /**
     * Creates threads of normal priority.
     *
     * @param name prefix of the threads' names
     * @param count maximum number of threads
     * @param waitingMax maximum number of queued tasks
     * @param refusal the failure of a task that does not fit into the queue, or that is submitted after {@link #stop}
     */
    public WorkerThreads(String name, int count, int waitingMax, Supplier<? extends RuntimeException> refusal) {
        this(name, count, waitingMax, Thread.NORM_PRIORITY, null, refusal);
    }

    /**
     * Creates threads of low priority. The JVM passes the priority on to Linux only with the option
     * ThreadPriorityPolicy; a native executable never does.
     *
     * @param name prefix of the threads' names
     * @param count maximum number of threads
     * @param waitingMax maximum number of queued tasks
     * @param cooperativeYield the rule that {@link CooperativeYield#yieldIfDue} applies to work on these threads; null
     *         if the work on these threads does not yield
     * @param refusal the failure of a task that does not fit into the queue, or that is submitted after {@link #stop}
     */
    public WorkerThreads(
            String name, int count, int waitingMax, @Nullable CooperativeYield cooperativeYield,
            Supplier<? extends RuntimeException> refusal) {
        this(name, count, waitingMax, Thread.MIN_PRIORITY, cooperativeYield, refusal);
    }

    @SuppressWarnings("ThreadPriorityCheck") // Correctness does not depend on the priority.
    private WorkerThreads(
            String name, int count, int waitingMax, int priority, @Nullable CooperativeYield cooperativeYield,
            Supplier<? extends RuntimeException> refusal) {
        this.refusal = refusal;
        this.cooperativeYield = cooperativeYield;
        threads = new ThreadPoolExecutor(
                count, count, IDLE_SECONDS, TimeUnit.SECONDS, new ArrayBlockingQueue<>(waitingMax),
                Thread.ofPlatform().name(name + "-", 1).daemon().priority(priority).factory());
        threads.allowCoreThreadTimeOut(true);
    }

    /** Interrupts the running tasks and discards the queued ones, whose results then never arrive. */
    public void stop() {
        threads.shutdownNow();
    }

    /**
     * Returns the result of the work. The work is queued at subscription. If the subscriber cancels before the work
     * begins, the work is removed from the queue; once begun, it is not interrupted by a cancellation.
     *
     * @param caller delivers the result or failure, see {@link CallerContext#executor}
     */
    public <T> Uni<T> run(Executor caller, Supplier<T> work) {
        return Uni.createFrom().<T>emitter(result -> {
            AtomicBoolean isBegun = new AtomicBoolean();
            Runnable task = () -> {
                isBegun.set(true);
                try {
                    T value = cooperativeYield == null ? work.get() : cooperativeYield.runWithYields(work);
                    caller.execute(() -> result.complete(value));
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
