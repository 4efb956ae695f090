package io.berth.context;

import io.vertx.core.Vertx;
import jakarta.annotation.Nullable;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

/**
 * Lets event loops run before background work continues: after each slice of work the thread waits until every event
 * loop has finished the tasks that were queued at the end of the slice, but not longer than a maximum. It does not
 * depend on thread priorities, which the JVM passes on to Linux and a native executable does not.
 *
 * @param loops the event loops that run first
 * @param slice duration of work between two waits
 * @param waitMax longest wait after a slice; so the work gets at least {@code slice / (slice + waitMax)} of a processor
 */
public record CooperativeYield(Iterable<? extends Executor> loops, Duration slice, Duration waitMax) {
    private static final ScopedValue<Slices> CURRENT = ScopedValue.newInstance();

    /**
     * Returns an instance for all event loops, with which the work gets at least a fifth of a processor. Returns null
     * in a JVM, where thread priorities have the same effect and waiting would only cost time.
     */
    @SuppressWarnings("deprecation") // Vert.x 5 has the same method in an internal interface.
    public static @Nullable CooperativeYield ifNative(Vertx vertx) {
        return System.getProperty("org.graalvm.nativeimage.imagecode") == null ? null : new CooperativeYield(vertx.nettyEventLoopGroup(), Duration.ofMillis(10), Duration.ofMillis(40));
    }

    /** Yields if the slice is over; background work calls this repeatedly. Returns at once on other threads. */
    public static void yieldIfDue() {
        if (CURRENT.isBound()) {
            CURRENT.get().yieldIfDue();
        }
    }

    <T> T during(Supplier<T> work) {
        return ScopedValue.where(CURRENT, new Slices(this)).call(work::get);
    }

    private void waitForLoops() {
        List<Executor> asked = new ArrayList<>();
        loops.forEach(asked::add);
        CountDownLatch reached = new CountDownLatch(asked.size());
        try {
            asked.forEach(loop -> loop.execute(reached::countDown));
            boolean _ = reached.await(waitMax.toNanos(), TimeUnit.NANOSECONDS);
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
        } catch (RejectedExecutionException _) {
            // The loops have stopped: the service ends.
        }
    }

    /** The time slices of one piece of work, on its thread. */
    private static final class Slices {
        private final CooperativeYield rule;
        private long beganNanos = System.nanoTime();

        Slices(CooperativeYield rule) {
            this.rule = rule;
        }

        void yieldIfDue() {
            if (System.nanoTime() - beganNanos >= rule.slice.toNanos()) {
                rule.waitForLoops();
                beganNanos = System.nanoTime();
            }
        }
    }
}
