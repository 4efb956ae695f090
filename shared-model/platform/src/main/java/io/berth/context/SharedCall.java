package io.berth.context;

import io.smallrye.mutiny.Uni;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicReference;

/** Shares one call between concurrent callers, however long it takes. */
public final class SharedCall {
    private SharedCall() {}

    private record End(long nanos) {}

    /**
     * Returns a shared call, which starts at the first subscription. A caller that subscribes while it runs, or shortly
     * after its end, gets the same item or failure. It continues even if all callers leave.
     *
     * @param kept how long after its end the result is shared
     */
    public static <T> Uni<T> of(Uni<T> call, Duration kept) {
        AtomicReference<End> last = new AtomicReference<>();
        // Does not use forFixedDuration, which counts from the beginning and restarts even a running call.
        return call
                .onItemOrFailure().invoke((item, failure) -> last.set(new End(System.nanoTime())))
                .memoize().until(() -> {
                    End end = last.get();
                    return end != null
                            && System.nanoTime() - end.nanos() >= kept.toNanos()
                            && last.compareAndSet(end, null);
                });
    }
}
