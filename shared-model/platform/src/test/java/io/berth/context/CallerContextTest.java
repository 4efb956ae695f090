package io.berth.context;

import static org.assertj.core.api.Assertions.assertThat;

import io.smallrye.mutiny.Uni;
import io.vertx.core.Context;
import io.vertx.core.Vertx;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Tests that results are delivered on the caller's Vert.x context. */
class CallerContextTest {
    private final Vertx vertx = Vertx.vertx();

    @AfterEach
    void close() {
        vertx.close().toCompletionStage().toCompletableFuture().join();
    }

    @Test
    void deliversOnTheCallersContext() {
        Context caller = vertx.getOrCreateContext();
        CompletableFuture<Context> delivered = new CompletableFuture<>();

        caller.runOnContext(_ -> Uni.createFrom().item("made elsewhere")
                .runSubscriptionOn(Thread::startVirtualThread)
                .emitOn(CallerContext.executor())
                .subscribe().with(_ -> delivered.complete(Vertx.currentContext())));

        assertThat(delivered.join()).isSameAs(caller);
    }

    @Test
    void neverDeliversWithinATaskOfTheCaller() {
        CompletableFuture<String> order = new CompletableFuture<>();

        vertx.getOrCreateContext().runOnContext(_ -> {
            StringBuilder steps = new StringBuilder();
            CallerContext.executor().execute(() -> order.complete(steps.append("answer").toString()));
            steps.append("task, then ");
        });

        assertThat(order.join()).isEqualTo("task, then answer");
    }

    @Test
    void deliversAtOnceWithoutAContext() {
        Executor executor = CallerContext.executor();
        StringBuilder steps = new StringBuilder();

        executor.execute(() -> steps.append(Thread.currentThread().getName()));

        assertThat(steps).hasToString(Thread.currentThread().getName());
    }
}
