package io.berth.scheduler.placement.http;

import static org.assertj.core.api.Assertions.assertThat;

import io.vertx.core.Context;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Tests on which threads placement's responses are parsed. */
class PlacementResponseTest {
    private final Vertx vertx = Vertx.vertx();

    @AfterEach
    void close() {
        vertx.close().toCompletionStage().toCompletableFuture().join();
    }

    /** Returns whether the parser ran on an event loop, and whether its result arrived on the caller's event loop. */
    private List<Boolean> read(int bytes) {
        var answer = new PlacementHttp.Response(200, Buffer.buffer(new byte[bytes]));
        var outcome = new CompletableFuture<List<Boolean>>();
        Context loop = vertx.getOrCreateContext();
        loop.runOnContext(ignored -> answer.read(body -> Context.isOnEventLoopThread()).subscribe().with(
                onLoop -> outcome.complete(List.of(onLoop, Vertx.currentContext() == loop)),
                outcome::completeExceptionally));
        return outcome.join();
    }

    @Test
    void parsesALongBodyOnAWorkerAndReturnsToItsEventLoop() {
        assertThat(read(1_000)).containsExactly(true, true);
        assertThat(read(100_000)).containsExactly(false, true);
    }
}
