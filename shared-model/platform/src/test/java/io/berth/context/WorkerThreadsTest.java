package io.berth.context;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.smallrye.mutiny.Uni;
import io.smallrye.mutiny.infrastructure.Infrastructure;
import io.smallrye.mutiny.subscription.Cancellable;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Tests worker threads and their bounded queue. */
class WorkerThreadsTest {
    private static final int WAITING_MAX = 20;

    private final WorkerThreads threads = new WorkerThreads(
            "test", 1, WAITING_MAX, () -> new IllegalStateException("too many wait"));
    private final CountDownLatch released = new CountDownLatch(1);

    @AfterEach
    void stop() {
        released.countDown();
        threads.stop();
    }

    private void occupy() throws InterruptedException {
        CountDownLatch begun = new CountDownLatch(1);
        threads.run(Runnable::run, () -> {
            begun.countDown();
            try {
                released.await();
            } catch (InterruptedException stopped) {
                Thread.currentThread().interrupt();
            }
            return true;
        }).subscribe().with(done -> {});
        begun.await();
    }

    @Test
    void doesNotStartCancelledWork() throws InterruptedException {
        occupy();
        AtomicInteger begun = new AtomicInteger();
        List<Cancellable> callers = new ArrayList<>();
        for (int i = 0; i < WAITING_MAX; i++) {
            callers.add(threads.run(Runnable::run, begun::incrementAndGet).subscribe().with(done -> {}));
        }
        callers.forEach(Cancellable::cancel);
        Uni<String> next = threads.run(Runnable::run, () -> "there is room").memoize().indefinitely();
        next.subscribe().with(done -> {});
        released.countDown();
        assertThat(next.await().indefinitely()).isEqualTo("there is room");
        assertThat(begun).hasValue(0);
    }

    @Test
    void reportsNoFailureAfterACancellation() throws InterruptedException {
        BlockingQueue<Runnable> onTheWay = new LinkedBlockingQueue<>();
        AtomicReference<Throwable> dropped = new AtomicReference<>();
        Infrastructure.setDroppedExceptionHandler(dropped::set);
        try {
            Cancellable caller = threads.run(onTheWay::add, () -> {
                throw new UnsupportedOperationException("not so");
            }).map(done -> done).subscribe().with(done -> {}, failed -> dropped.set(failed));
            Runnable result = onTheWay.take();
            caller.cancel();
            result.run();
        } finally {
            Infrastructure.resetDroppedExceptionHandler();
        }
        assertThat(dropped).hasNullValue();
    }

    @Test
    void refusesWorkIfTheQueueIsFullAndPassesFailuresOn() throws InterruptedException {
        occupy();
        Uni<Object> failing = threads.run(Runnable::run, () -> {
            throw new UnsupportedOperationException("not so");
        }).memoize().indefinitely();
        failing.subscribe().with(done -> {}, failed -> {});
        for (int i = 1; i < WAITING_MAX; i++) {
            threads.run(Runnable::run, () -> true).subscribe().with(done -> {});
        }
        assertThatThrownBy(() -> threads.run(Runnable::run, () -> true).await().indefinitely())
                .hasMessage("too many wait");
        released.countDown();
        assertThatThrownBy(() -> failing.await().indefinitely()).hasMessage("not so");
    }
}
