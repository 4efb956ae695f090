package io.berth.placement.http;

import io.berth.context.WorkerThreads;
import io.smallrye.mutiny.Uni;
import jakarta.annotation.PreDestroy;
import jakarta.inject.Singleton;
import java.util.concurrent.Executor;
import java.util.function.Supplier;

/**
 * Runs long searches and lists on threads of their own, so that none delays an event loop: at most four, which also
 * bounds how many large responses are rendered at a time. If more than {@link #WAITING_MAX} wait, the response is 503.
 */
@Singleton
public final class AnswerWorkers {
    static final int WAITING_MAX = 1_000;
    private static final int THREADS_MAX = 4;

    private final WorkerThreads threads;
    private final long answerBytesMax;

    AnswerWorkers() {
        int count = Math.min(THREADS_MAX, Runtime.getRuntime().availableProcessors());
        // A response is in memory twice while it is copied: all threads together need at most half of the heap.
        answerBytesMax = Runtime.getRuntime().maxMemory() / (4L * count);
        threads = new WorkerThreads(
                "answers", count, WAITING_MAX,
                () -> ApiException.unavailable("Too many large responses are queued."));
    }

    /** Returns the limit of one response, in bytes. */
    public long answerBytesMax() {
        return answerBytesMax;
    }

    @PreDestroy
    void stop() {
        threads.stop();
    }

    /** Runs work like {@link WorkerThreads#run}. */
    public <T> Uni<T> run(Executor caller, Supplier<T> work) {
        return threads.run(caller, work);
    }
}
