package io.berth.context;

import io.smallrye.mutiny.Uni;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicReference;

/** Shares one running call, and for a given time its result, between concurrent callers. */
public final class SharedCall {
    private SharedCall() {}

    /** @param nanos the {@link System#nanoTime} at the end of the call */
    private record End(long nanos) {}

    /**
     * Returns a shared call, which starts at the first subscription. Subscribers that arrive while the call runs, or
     * within {@code shareTime} after its end, get the same item or failure. The call continues even if all subscribers
     * cancel. Later subscribers start the call again.
     *
     * @param shareTime time for which the result is shared after the end of the call
     */
    public static <T> Uni<T> of(Uni<T> call, Duration shareTime) {
        AtomicReference<End> lastEnd = new AtomicReference<>();
        // forFixedDuration is not suitable: it counts from the start of the call, and starts another call while one is
        // running.
        return call
                .onItemOrFailure().invoke((item, failure) -> lastEnd.set(new End(System.nanoTime())))
                .memoize().until(() -> {
                    End end = lastEnd.get();
                    return end != null
                            && System.nanoTime() - end.nanos() >= shareTime.toNanos()
                            && lastEnd.compareAndSet(end, null);
                });
    }
}
