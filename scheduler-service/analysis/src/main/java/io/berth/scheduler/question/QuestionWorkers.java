package io.berth.scheduler.question;

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
 * A thread that lets event loops run first, for questions of operators, which may take many seconds: one, so that however
 * many ask, decisions have the other processors. Beyond {@link #WAITING_MAX} waiting for it the answer is 503.
 */
@Singleton
class QuestionWorkers {
    static final int WAITING_MAX = 32;

    private final WorkerThreads threads;

    QuestionWorkers(Vertx vertx) {
        threads = new WorkerThreads(
                "questions", 1, WAITING_MAX, CooperativeYield.ifNative(vertx),
                () -> new ApiFault(ErrorCode.OVERLOADED, "too many questions wait to be answered"));
    }

    @PreDestroy
    void stop() {
        threads.stop();
    }

    /** As {@link WorkerThreads#run}. The work may wait for placement. */
    <T> Uni<T> run(Executor caller, Supplier<T> work) {
        return threads.run(caller, work);
    }
}
