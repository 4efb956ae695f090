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
 * Runs operators' analysis jobs, which may take many seconds, on one thread of low priority: the other processors stay
 * free for the cloud's requests, however many jobs come. If more than {@link #WAITING_MAX} wait, the response is 503.
 */
@Singleton
public final class AnalysisWorkers {
    static final int WAITING_MAX = 32;

    private final WorkerThreads threads;

    AnalysisWorkers(Vertx vertx) {
        threads = new WorkerThreads(
                "questions", 1, WAITING_MAX, CooperativeYield.ifNative(vertx),
                () -> ApiException.unavailable("Too many analysis jobs are queued."));
    }

    @PreDestroy
    void stop() {
        threads.stop();
    }

    /**
     * Returns whether a job that began then has used up its time. Also lets event loops run if that is due.
     *
     * @param beganNanos {@link System#nanoTime} at the begin of the job
     */
    public static boolean isTimeUp(long beganNanos, Duration timeout) {
        CooperativeYield.yieldIfDue();
        return System.nanoTime() - beganNanos > timeout.toNanos();
    }

    /** Runs work like {@link WorkerThreads#run}. */
    public <T> Uni<T> run(Executor caller, Supplier<T> work) {
        return threads.run(caller, work);
    }
}
