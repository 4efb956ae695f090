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
 * Makes background work yield the processor to event loops. After each slice of work, the thread waits until every
 * event loop has run the tasks that it had queued at the end of the slice, up to a maximum time. Thread priorities
 * would have the same purpose, but only a JVM passes them on to Linux; a native executable does not.
 *
 * @param loops the event loops to which the work yields
 * @param slice duration of work between two waits
 * @param waitMax maximum time of a wait; the work therefore gets at least {@code slice / (slice + waitMax)} of a
 *         processor
 */
public record CooperativeYield(Iterable<? extends Executor> loops, Duration slice, Duration waitMax) {
    private static final ScopedValue<Slices> CURRENT = ScopedValue.newInstance();

    /**
     * Returns an instance for all event loops of Vert.x, with which the work gets at least a fifth of a processor.
     * Returns null in a JVM, where thread priorities suffice.
     */
    @SuppressWarnings("deprecation") // Vert.x 5 has the same method in an internal interface.
    public static @Nullable CooperativeYield ifNative(Vertx vertx) {
        return System.getProperty("org.graalvm.nativeimage.imagecode") == null
                ? null
                : new CooperativeYield(vertx.nettyEventLoopGroup(), Duration.ofMillis(10), Duration.ofMillis(40));
    }

    /**
     * Waits for the event loops if the slice of the calling thread is over. Background work calls this method
     * repeatedly. On threads without background work, returns at once.
     */
    public static void yieldIfDue() {
        if (CURRENT.isBound()) {
            CURRENT.get().yieldIfDue();
        }
    }

    /** Runs the work on the calling thread, with slices that begin now. */
    <T> T runWithYields(Supplier<T> work) {
        return ScopedValue.where(CURRENT, new Slices(this)).call(work::get);
    }

    private void waitForLoops() {
        List<Executor> loopList = new ArrayList<>();
        loops.forEach(loopList::add);
        CountDownLatch hasRun = new CountDownLatch(loopList.size());
        try {
            loopList.forEach(loop -> loop.execute(hasRun::countDown));
            boolean _ = hasRun.await(waitMax.toNanos(), TimeUnit.NANOSECONDS);
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
        } catch (RejectedExecutionException _) {
            // The event loops have stopped, because the service is shutting down.
        }
    }

    /** The time slices of one piece of work, on its thread. */
    private static final class Slices {
        private final CooperativeYield rule;
        private long sliceStartNanos = System.nanoTime();

        Slices(CooperativeYield rule) {
            this.rule = rule;
        }

        void yieldIfDue() {
            if (System.nanoTime() - sliceStartNanos >= rule.slice.toNanos()) {
                rule.waitForLoops();
                sliceStartNanos = System.nanoTime();
            }
        }
    }
}
