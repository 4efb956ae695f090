package io.berth.placement.http;

import io.berth.context.CooperativeYield;
import io.berth.context.WorkerThreads;
import io.smallrye.mutiny.Uni;
import io.vertx.core.Vertx;
import jakarta.annotation.PreDestroy;
import jakarta.inject.Singleton;
import java.time.Duration;
import java.util.concurrent.Executor;
import java.util.function.Supplier;

/**
 * Runs operators' analysis jobs, each of which may take many seconds, one at a time on one thread of low priority. The
 * jobs thus occupy at most one processor, and the other processors serve all other requests. If {@link #WAITING_MAX}
 * jobs are waiting, a further one is refused with 503.
 */
@Singleton
public final class AnalysisWorkers {
    /** The most jobs that wait for the thread. */
    static final int WAITING_MAX = 32;

    private final WorkerThreads threads;

    AnalysisWorkers(Vertx vertx) {
        // In a JVM, ifNative returns null: the thread's low priority suffices.
        threads = new WorkerThreads(
                "analysis", 1, WAITING_MAX, CooperativeYield.ifNative(vertx),
                () -> ApiException.unavailable("Too many analysis jobs are queued."));
    }

    @PreDestroy
    void stop() {
        threads.stop();
    }

    /**
     * Returns whether a job has used up its time. Jobs must call this method often, because it also yields the
     * processor to event loops when a yield is due, see {@link CooperativeYield#yieldIfDue}.
     *
     * @param startNanos {@link System#nanoTime} at the start of the job
     */
    public static boolean isTimeUp(long startNanos, Duration timeout) {
        CooperativeYield.yieldIfDue();
        return System.nanoTime() - startNanos > timeout.toNanos();
    }

    /** Runs work on the thread, see {@link WorkerThreads#run}. The result arrives on {@code caller}. */
    public <T> Uni<T> run(Executor caller, Supplier<T> work) {
        return threads.run(caller, work);
    }
}
