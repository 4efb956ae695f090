package io.berth.scheduler.search;

import io.smallrye.mutiny.Uni;
import io.smallrye.mutiny.infrastructure.Infrastructure;
import java.util.function.Supplier;

/**
 * Runs the pure part of a decision on a suitable thread. {@code api.Admission} limits the number of decisions, and so
 * the number of tasks that wait for a worker thread.
 */
public final class DecisionWorkers {
    private DecisionWorkers() {}

    /**
     * Runs the work on a worker thread, because filtering ten thousand hosts takes milliseconds and would block an
     * event loop.
     */
    public static <T> Uni<T> onWorker(Supplier<T> work) {
        return Uni.createFrom().item(work).runSubscriptionOn(Infrastructure.getDefaultExecutor());
    }

    /**
     * Runs the work on the caller's thread if it is quick, else on a worker thread.
     *
     * @param isQuick whether the work takes less than about half a millisecond, so that it may run on an event loop
     */
    public static <T> Uni<T> run(boolean isQuick, Supplier<T> work) {
        return isQuick ? Uni.createFrom().item(work) : onWorker(work);
    }
}
