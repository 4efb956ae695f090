package io.berth.scheduler.placement.http;

import static org.assertj.core.api.Assertions.assertThat;

import io.vertx.core.Context;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class PlacementResponseTest {
    private final Vertx vertx = Vertx.vertx();

    @AfterEach
    void close() {
        vertx.close().toCompletionStage().toCompletableFuture().join();
    }

    /** Whether the parser ran on an event loop, and whether its result came on the one that asked. */
    private List<Boolean> read(int bytes) {
        var answer = new PlacementHttp.Response(200, Buffer.buffer(new byte[bytes]));
        var told = new CompletableFuture<List<Boolean>>();
        Context loop = vertx.getOrCreateContext();
        loop.runOnContext(ignored -> answer.read(body -> Context.isOnEventLoopThread()).subscribe().with(
                onLoop -> told.complete(List.of(onLoop, Vertx.currentContext() == loop)),
                told::completeExceptionally));
        return told.join();
    }

    @Test
    void parsesALongBodyOnAWorkerAndTellsOfItWhereItCame() {
        assertThat(read(1_000)).containsExactly(true, true);
        assertThat(read(100_000)).containsExactly(false, true);
    }
}
