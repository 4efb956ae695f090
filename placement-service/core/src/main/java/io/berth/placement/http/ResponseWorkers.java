package io.berth.placement.http;

import io.berth.context.WorkerThreads;
import io.smallrye.mutiny.Uni;
import jakarta.annotation.PreDestroy;
import jakarta.inject.Singleton;
import java.util.concurrent.Executor;
import java.util.function.Supplier;

/**
 * Runs long searches and renders long lists on worker threads, so that event loops are not blocked. The number of
 * threads also bounds how many large responses are rendered at a time. If {@link #WAITING_MAX} requests are waiting, a
 * further one is refused with 503.
 */
@Singleton
public final class ResponseWorkers {
    /** The most requests that wait for a thread. */
    static final int WAITING_MAX = 1_000;
    /** The most threads; fewer on a machine with fewer processors. */
    private static final int THREADS_MAX = 4;

    private final WorkerThreads threads;
    private final long responseBytesMax;

    ResponseWorkers() {
        int count = Math.min(THREADS_MAX, Runtime.getRuntime().availableProcessors());
        // A response is in memory twice while it is copied. With this limit, the responses of all threads together take
        // at most half of the heap.
        responseBytesMax = Runtime.getRuntime().maxMemory() / (4L * count);
        threads = new WorkerThreads(
                "answers", count, WAITING_MAX,
                () -> ApiException.unavailable("Too many large responses are queued."));
    }

    /** Returns the limit of one response, in bytes. Its renderer must refuse a larger response. */
    public long responseBytesMax() {
        return responseBytesMax;
    }

    @PreDestroy
    void stop() {
        threads.stop();
    }

    /** Runs work on one of the threads, see {@link WorkerThreads#run}. The result arrives on {@code caller}. */
    public <T> Uni<T> run(Executor caller, Supplier<T> work) {
        return threads.run(caller, work);
    }
}
