package io.berth.scheduler.search;

import io.smallrye.mutiny.Uni;
import io.smallrye.mutiny.infrastructure.Infrastructure;
import java.util.function.Supplier;

/** Runs the pure part of a decision. The number of waiting tasks is bounded by admission. */
public final class Computing {
    private Computing() {}

    /**
     * Runs the work on a worker thread: filtering ten thousand hosts takes milliseconds and must not block an event
     * loop.
     */
    public static <T> Uni<T> aside(Supplier<T> work) {
        return Uni.createFrom().item(work).runSubscriptionOn(Infrastructure.getDefaultExecutor());
    }

    /**
     * @param quick whether the work takes no longer than two thread switches, so that it runs on the caller's thread
     */
    public static <T> Uni<T> run(boolean quick, Supplier<T> work) {
        return quick ? Uni.createFrom().item(work) : aside(work);
    }
}
