package io.berth.context;

import io.smallrye.mutiny.Uni;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicReference;

/** One call for all who ask at the same moment, however long it takes. */
public final class SharedCall {
    private SharedCall() {}

    private record End(long nanos) {}

    /**
     * The call, made when somebody asks. Who asks while it is under way, or shortly after it ended, gets the same item or
     * failure. It goes on though all who asked leave.
     *
     * @param kept how long after its end
     */
    public static <T> Uni<T> of(Uni<T> call, Duration kept) {
        AtomicReference<End> last = new AtomicReference<>();
        // Not forFixedDuration: that counts from the beginning, and begins anew whatever is under way.
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
