package io.berth.context;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.fail;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.Executor;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Tests how long work on worker threads yields to event loops. */
class CooperativeYieldTest {
    private static final Duration LONG = Duration.ofDays(1);

    private final BlockingQueue<Runnable> queued = new LinkedBlockingQueue<>();
    private WorkerThreads threads;

    @AfterEach
    void stop() {
        threads.stop();
    }

    private void yieldingTo(List<Executor> loops, Duration slice, Duration waitMax) {
        threads = new WorkerThreads(
                "test", 1, 1, new CooperativeYield(loops, slice, waitMax),
                () -> new IllegalStateException("too many wait"));
    }

    @Test
    void waitsAfterASliceUntilEachLoopHasEmptiedItsQueue() throws InterruptedException {
        yieldingTo(List.of(queued::add, queued::add), Duration.ZERO, LONG);
        AtomicInteger steps = new AtomicInteger();
        var work = threads.run(Runnable::run, () -> {
            CooperativeYield.yieldIfDue();
            return steps.incrementAndGet();
        }).memoize().indefinitely();
        work.subscribe().with(done -> queued.add(() -> fail("the work went on without waiting")));
        queued.take().run();
        Runnable last = queued.take();
        assertThat(steps).hasValue(0);
        last.run();
        assertThat(work.await().indefinitely()).isEqualTo(1);
    }

    @Test
    void continuesIfALoopIsBusyForLongerThanTheMaximum() {
        yieldingTo(List.of(queued::add), Duration.ZERO, Duration.ofMillis(1));
        assertThat(threads.run(Runnable::run, CooperativeYieldTest::yieldTwice).await().indefinitely())
                .isEqualTo("done");
        assertThat(queued).hasSize(2);
    }

    @Test
    void doesNotWaitWhileTheSliceLasts() {
        yieldingTo(List.of(queued::add), LONG, LONG);
        assertThat(threads.run(Runnable::run, CooperativeYieldTest::yieldTwice).await().indefinitely())
                .isEqualTo("done");
        assertThat(queued).isEmpty();
    }

    @Test
    void continuesIfTheLoopsHaveStopped() {
        yieldingTo(List.of(stopped -> {
            throw new RejectedExecutionException();
        }), Duration.ZERO, LONG);
        assertThat(threads.run(Runnable::run, CooperativeYieldTest::yieldTwice).await().indefinitely())
                .isEqualTo("done");
    }

    @Test
    void doesNothingOnOtherThreads() {
        yieldingTo(List.of(queued::add), Duration.ZERO, LONG);
        assertThat(yieldTwice()).isEqualTo("done");
        assertThat(queued).isEmpty();
    }

    private static String yieldTwice() {
        CooperativeYield.yieldIfDue();
        CooperativeYield.yieldIfDue();
        return "done";
    }
}
