package io.berth.scheduler.job;

import io.berth.context.CooperativeYield;
import io.berth.context.WorkerThreads;
import io.berth.scheduler.http.ApiFault;
import io.berth.scheduler.http.ErrorCode;
import io.smallrye.mutiny.Uni;
import io.vertx.core.Vertx;
import jakarta.annotation.PreDestroy;
import jakarta.inject.Singleton;
import java.util.concurrent.Executor;
import java.util.function.Supplier;

/**
 * Runs analyses, which may take many seconds, on a single thread of low priority. In a native executable, where
 * priorities have no effect, the thread yields to event loops instead. The other processors thus stay free for
 * decisions, however many analyses operators request. While {@value #WAITING_MAX} analyses wait, further ones fail with
 * 503.
 */
@Singleton
class AnalysisWorkers {
    /** The maximum number of analyses that wait for the thread. */
    static final int WAITING_MAX = 32;

    private final WorkerThreads threads;

    AnalysisWorkers(Vertx vertx) {
        threads = new WorkerThreads(
                "analysis", 1, WAITING_MAX, CooperativeYield.ifNative(vertx),
                () -> new ApiFault(ErrorCode.OVERLOADED,
                        WAITING_MAX + " analyses are waiting already; send the request again later"));
    }

    @PreDestroy
    void stop() {
        threads.stop();
    }

    /**
     * Runs work on the thread, and passes the result to an executor, as {@link WorkerThreads#run} does. The work may
     * block while it waits for placement.
     */
    <T> Uni<T> run(Executor caller, Supplier<T> work) {
        return threads.run(caller, work);
    }
}
