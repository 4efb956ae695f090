package io.berth.context;

import static org.assertj.core.api.Assertions.assertThat;

import io.quarkus.runtime.ShutdownEvent;
import io.smallrye.mutiny.Uni;
import io.vertx.core.Vertx;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Tests recurring work on Vert.x timers. */
class RecurringTest {
    private static final Duration PAUSE = Duration.ofMillis(1);

    private final Vertx vertx = Vertx.vertx();
    private final Recurring recurring = new Recurring(vertx);

    @AfterEach
    void close() {
        vertx.close().toCompletionStage().toCompletableFuture().join();
    }

    /** Waits for several ticks, so that whatever was due has been done or skipped. */
    private void passTicks() throws InterruptedException {
        CountDownLatch ticks = new CountDownLatch(20);
        long timer = vertx.setPeriodic(PAUSE.toMillis(), _ -> ticks.countDown());
        ticks.await();
        vertx.cancelTimer(timer);
    }

    @Test
    void neverRunsTwiceAtOnce() throws InterruptedException {
        AtomicInteger begun = new AtomicInteger();
        CountDownLatch first = new CountDownLatch(1);
        CountDownLatch second = new CountDownLatch(2);
        CompletableFuture<Void> end = new CompletableFuture<>();
        recurring.every(PAUSE, () -> {
            begun.incrementAndGet();
            first.countDown();
            second.countDown();
            return Uni.createFrom().completionStage(end);
        }, "not done");
        first.await();

        passTicks();
        assertThat(begun).hasValue(1);

        end.complete(null);
        second.await();
    }

    @Test
    void continuesAfterAFailure() throws InterruptedException {
        CountDownLatch thrown = new CountDownLatch(2);
        CountDownLatch failed = new CountDownLatch(2);

        recurring.every(PAUSE, () -> {
            thrown.countDown();
            throw new IllegalStateException("thrown");
        }, "not done");
        recurring.every(PAUSE, () -> {
            failed.countDown();
            return Uni.createFrom().failure(new IllegalStateException("failed"));
        }, "not done");

        thrown.await();
        failed.await();
    }

    @Test
    void startsNothingOnceTheServiceStops() throws InterruptedException {
        AtomicInteger begun = new AtomicInteger();
        CountDownLatch first = new CountDownLatch(1);
        recurring.every(PAUSE, () -> {
            begun.incrementAndGet();
            first.countDown();
            return Uni.createFrom().voidItem();
        }, "not done");
        first.await();

        recurring.stop(new ShutdownEvent());
        passTicks();
        int atTheEnd = begun.get();
        passTicks();

        assertThat(begun).hasValue(atTheEnd);
    }

    @Test
    void runsEachTimeInItsOwnContext() throws InterruptedException {
        AtomicInteger seen = new AtomicInteger();
        CountDownLatch times = new CountDownLatch(3);
        recurring.every(PAUSE, () -> {
            times.countDown();
            if (Vertx.currentContext().getLocal("seen") != null) {
                seen.incrementAndGet();
            }
            Vertx.currentContext().putLocal("seen", true);
            return Uni.createFrom().voidItem();
        }, "not done");

        times.await();
        recurring.stop(new ShutdownEvent());
        passTicks();
        assertThat(seen).hasValue(0);
    }
}
