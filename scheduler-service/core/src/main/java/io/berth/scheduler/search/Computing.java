package io.berth.scheduler.search;

import io.smallrye.mutiny.Uni;
import io.smallrye.mutiny.infrastructure.Infrastructure;
import java.util.function.Supplier;

/** Where the pure part of a decision runs. What may wait here is bounded by what is admitted. */
public final class Computing {
    private Computing() {}

    /** Filtering ten thousand hosts takes milliseconds: never on an event loop. */
    public static <T> Uni<T> aside(Supplier<T> work) {
        return Uni.createFrom().item(work).runSubscriptionOn(Infrastructure.getDefaultExecutor());
    }

    /** @param quick the work takes no longer than two changes of thread: done where the caller is */
    public static <T> Uni<T> run(boolean quick, Supplier<T> work) {
        return quick ? Uni.createFrom().item(work) : aside(work);
    }
}
