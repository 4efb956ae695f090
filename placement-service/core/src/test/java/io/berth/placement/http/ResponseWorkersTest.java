package io.berth.placement.http;

import static org.assertj.core.api.Assertions.assertThat;

import io.smallrye.mutiny.Uni;
import io.smallrye.mutiny.helpers.test.UniAssertSubscriber;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Tests the threads that build large responses, and their bounded queue. */
class ResponseWorkersTest {
    private static final Duration ANSWER_MAX = Duration.ofMinutes(1);

    private final ResponseWorkers workers = new ResponseWorkers();

    @AfterEach
    void stop() {
        workers.stop();
    }

    @Test
    void refusesWorkBeyondItsQueueAndCompletesTheRest() {
        CountDownLatch free = new CountDownLatch(1);
        List<UniAssertSubscriber<Boolean>> queued = new ArrayList<>();
        UniAssertSubscriber<Boolean> last;
        do {
            last = workers.run(Runnable::run, () -> isFreed(free)).subscribe()
                    .withSubscriber(UniAssertSubscriber.create());
            queued.add(last);
        } while (last.getFailure() == null);
        queued.removeLast();
        assertThat(last.getFailure()).isInstanceOfSatisfying(
                ApiException.class, refused -> assertThat(refused.status()).isEqualTo(503));
        assertThat(queued).hasSizeGreaterThan(ResponseWorkers.WAITING_MAX);
        free.countDown();
        queued.forEach(each -> each.awaitItem(ANSWER_MAX).assertItem(true));
    }

    @Test
    void failsWithTheErrorOfTheWork() {
        Uni<byte[]> failing = workers.run(Runnable::run, () -> {
            throw new StackOverflowError("as deep as it goes");
        });
        failing.subscribe().withSubscriber(UniAssertSubscriber.create())
                .awaitFailure(ANSWER_MAX).assertFailedWith(StackOverflowError.class);
    }

    private static boolean isFreed(CountDownLatch free) {
        try {
            free.await();
            return true;
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }
}
