package io.berth.database;

import static io.berth.deploy.process.Await.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import io.quarkus.reactive.pg.client.PgPoolCreator;
import io.vertx.core.Vertx;
import io.vertx.pgclient.PgConnectOptions;
import io.vertx.sqlclient.Pool;
import io.vertx.sqlclient.PoolOptions;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.time.Duration;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Tests the limits of a pool whose server does not listen. */
class PoolLimitsIT {
    private static final int TURN_SECONDS = 1;

    private final Vertx vertx = Vertx.vertx();
    private final Queue<Throwable> uncaught = new ConcurrentLinkedQueue<>();

    @AfterEach
    void close() {
        vertx.close().toCompletionStage().toCompletableFuture().join();
    }

    /** Returns a port on which no server listens. */
    private static int closedPort() throws IOException {
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return socket.getLocalPort();
        }
    }

    private PgPoolCreator.Input input(int port) {
        var options = new PgConnectOptions().setHost("127.0.0.1").setPort(port).setUser("nobody").setDatabase("none");
        return new PgPoolCreator.Input() {
            @Override
            public Vertx vertx() {
                return vertx;
            }

            @Override
            public PoolOptions poolOptions() {
                return new PoolOptions();
            }

            @Override
            public List<PgConnectOptions> pgConnectOptionsList() {
                return List.of(options);
            }
        };
    }

    @Test
    void failsAStatementOnceAndStillReportsOtherFaults() throws IOException {
        vertx.exceptionHandler(uncaught::add);
        Pool pool = new PoolLimits(Duration.ofSeconds(10), Duration.ofSeconds(TURN_SECONDS), 10)
                .create("test", input(closedPort()), new CurrentPrimary());
        assertThat(pool.query("SELECT 1").execute().toCompletionStage().toCompletableFuture())
                .failsWithin(Duration.ofMinutes(1));
        var fault = new IllegalStateException("a caller's mistake");
        var later = new CompletableFuture<Void>();
        // This timer fires after the pool's timer for the statement, which was set earlier.
        vertx.setTimer(Duration.ofSeconds(TURN_SECONDS + 1).toMillis(), timer -> {
            later.complete(null);
            throw fault;
        });
        later.join();
        eventually("the fault is reported", () -> uncaught.contains(fault));
        assertThat(uncaught).containsExactly(fault);
    }
}
