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

/** With a database that takes connections and says nothing. */
@Tag("process")
class CompletionsIT {
    private final Vertx vertx = Vertx.vertx();

    @AfterEach
    void close() {
        vertx.close().toCompletionStage().toCompletableFuture().join();
    }

    /** Those who are told of it after this one would never hear of it. */
    @Test
    void theEndIsNoFailureWhereTheDatabaseDoesNotAnswer() {
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
        // More than are written at a time: some wait, whether or not their turn has come.
        IntStream.range(0, 1_000).forEach(i -> confirmations.add(
                new RecordStart(new IdempotencyKey("key" + i, "fingerprint", List.of(), false, "req-1"), "{}", null,
                        null), i));
        assertThatCode(() -> confirmations.stop(new ShutdownEvent())).doesNotThrowAnyException();
    }
}
