package io.berth.placement.http;

import static org.assertj.core.api.Assertions.assertThat;

import io.smallrye.mutiny.Uni;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Tests the threads on which request bodies are parsed. */
class BodyWorkerTest {
    private static final Duration ANSWER_MAX = Duration.ofMinutes(1);
    private final BodyWorker worker = new BodyWorker();

    @AfterEach
    void stop() {
        worker.stop();
    }

    @Test
    void parsesASmallBodyOnTheCallersThread() {
        assertThat(parsingThread(new byte[BodyWorker.INLINE_BYTES_MAX])).isSameAs(Thread.currentThread());
        assertThat(parsingThread(null)).isSameAs(Thread.currentThread());
    }

    @Test
    void parsesLargeBodiesOnTheWorkersThread() {
        byte[] large = new byte[BodyWorker.INLINE_BYTES_MAX + 1];
        Thread first = parsingThread(large);
        assertThat(first).isNotSameAs(Thread.currentThread());
        assertThat(Uni.createFrom().voidItem().emitOn(worker.executorFor(large)).map(none -> Thread.currentThread())
                .await().atMost(ANSWER_MAX)).isSameAs(first);
    }

    private Thread parsingThread(byte[] body) {
        return worker.run(body, () -> Uni.createFrom().item(Thread.currentThread())).await().atMost(ANSWER_MAX);
    }
}
