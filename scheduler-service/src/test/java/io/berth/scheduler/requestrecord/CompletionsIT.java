package io.berth.scheduler.requestrecord;

import static org.assertj.core.api.Assertions.assertThatCode;

import io.quarkus.runtime.ShutdownEvent;
import io.vertx.core.Vertx;
import io.vertx.core.net.NetServer;
import io.vertx.mutiny.pgclient.PgBuilder;
import io.vertx.pgclient.PgConnectOptions;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Tests Completions with a database that accepts connections and does not respond. */
@Tag("process")
class CompletionsIT {
    private final Vertx vertx = Vertx.vertx();

    @AfterEach
    void close() {
        vertx.close().toCompletionStage().toCompletableFuture().join();
    }

    /** An exception would keep later shutdown observers from being called. */
    @Test
    void stopsWithoutAnExceptionIfTheDatabaseDoesNotRespond() {
        NetServer silent = vertx.createNetServer()
                .connectHandler(ignored -> {})
                .listen(0, "127.0.0.1")
                .toCompletionStage().toCompletableFuture().join();
        var pool = PgBuilder.pool()
                .connectingTo(new PgConnectOptions()
                        .setHost("127.0.0.1").setPort(silent.actualPort()).setUser("u").setDatabase("d"))
                .using(io.vertx.mutiny.core.Vertx.newInstance(vertx))
                .build();
        var store = new RequestRecordStore(pool);
        var confirmations = new Completions(store, null, new RequestLeases(store), vertx);
        // More than are written at once, so that some still wait when it stops.
        IntStream.range(0, 1_000).forEach(i -> confirmations.add(
                new RecordStart(new IdempotencyKey("key" + i, "fingerprint", List.of(), false, "req-1"), "{}", null,
                        null), i));
        assertThatCode(() -> confirmations.stop(new ShutdownEvent())).doesNotThrowAnyException();
    }
}
