package io.berth.placement.http;

import io.berth.context.WorkerThreads;
import io.smallrye.mutiny.Uni;
import jakarta.annotation.PreDestroy;
import jakarta.inject.Singleton;
import java.util.concurrent.Executor;
import java.util.function.Supplier;

/**
 * A thread of low priority for questions of operators, which may take many seconds: one, so that however many ask, the
 * cloud has the other processors. Beyond {@link #WAITING_MAX} waiting for it the answer is 503.
 */
@Singleton
public final class QuestionWorkers {
    static final int WAITING_MAX = 32;

    private final WorkerThreads threads = new WorkerThreads(
            "questions", 1, WAITING_MAX, Thread.MIN_PRIORITY,
            () -> ApiException.unavailable("Too many questions wait to be answered."));

    @PreDestroy
    void stop() {
        threads.stop();
    }

    /** As {@link WorkerThreads#run}. */
    public <T> Uni<T> run(Executor caller, Supplier<T> work) {
        return threads.run(caller, work);
    }
}
