package io.berth.deploy.load.http;

import static org.assertj.core.api.Assertions.assertThat;

import io.vertx.core.Vertx;
import io.vertx.core.VertxOptions;
import io.vertx.core.http.HttpServer;
import io.vertx.core.http.HttpServerRequest;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Tests the load driver against a server of this test on the loopback address. */
class DriverIT {
    private static final Duration LONG = Duration.ofMinutes(5);

    private final Vertx vertx = Vertx.vertx(new VertxOptions().setEventLoopPoolSize(2));
    private final AtomicInteger inFlight = new AtomicInteger();
    private final AtomicInteger inFlightMax = new AtomicInteger();

    @AfterEach
    void close() {
        vertx.close().toCompletionStage().toCompletableFuture().join();
    }

    private Target serving(Consumer<HttpServerRequest> handler) {
        HttpServer server = vertx.createHttpServer()
                .requestHandler(handler::accept)
                .listen(0, "127.0.0.1")
                .toCompletionStage().toCompletableFuture().join();
        return new Target("127.0.0.1", server.actualPort(), "/p", "token");
    }

    private static Traffic times(int count, Exchange exchange) {
        AtomicInteger left = new AtomicInteger(count);
        return () -> left.getAndDecrement() > 0 ? exchange : null;
    }

    private static Exchange get(String kind) {
        return Exchange.get(kind, "/x", answer -> answer.status() == 200 ? Outcome.GOOD : answer.wrong(kind));
    }

    @Test
    void sendsAllRequestsAndCountsThemByKind() throws InterruptedException {
        Target target = serving(request -> request.response().end(
                request.path() + request.getHeader("x-auth-token")));
        try (ClientConnections wire = new ClientConnections(vertx, target, 4)) {
            Measurements measured = new Driver(vertx, wire).closedLoop(times(100, Exchange.get("read", "/x",
                    answer -> answer.body().toString().equals("/p/xtoken") ? Outcome.GOOD : Outcome.REFUSED)), LONG);
            assertThat(measured.requests()).isEqualTo(100);
            assertThat(measured.kinds()).containsOnlyKeys("read");
            assertThat(measured.kinds().get("read").good()).isEqualTo(100);
            assertThat(measured.kinds().get("read").bytesPerResponse()).isEqualTo(9);
        }
    }

    @Test
    void neverHasMoreRequestsInFlightThanConnections() throws InterruptedException {
        Target target = serving(request -> {
            inFlightMax.accumulateAndGet(inFlight.incrementAndGet(), Math::max);
            vertx.setTimer(5, _ -> {
                inFlight.decrementAndGet();
                request.response().end();
            });
        });
        try (ClientConnections wire = new ClientConnections(vertx, target, 3)) {
            new Driver(vertx, wire).closedLoop(times(60, get("read")), LONG);
        }
        assertThat(inFlightMax.get()).isEqualTo(3);
    }

    @Test
    void stopsIfAllResponsesAreWrong() throws InterruptedException {
        Target target = serving(request -> request.response().setStatusCode(500).end());
        try (ClientConnections wire = new ClientConnections(vertx, target, 2)) {
            Measurements measured = new Driver(vertx, wire).closedLoop(times(100_000, get("read")), LONG);
            assertThat(measured.wrongCount()).isBetween(50L, 52L);
            assertThat(measured.wrongs()).hasSize(5).allMatch(why -> why.equals("read answered 500"));
        }
    }

    @Test
    void countsRequestsWithoutAResponseAsWrong() throws InterruptedException {
        Target target = serving(request -> request.connection().close());
        try (ClientConnections wire = new ClientConnections(vertx, target, 1)) {
            Measurements measured = new Driver(vertx, wire).closedLoop(times(3, get("read")), LONG);
            assertThat(measured.wrongCount()).isEqualTo(3);
            assertThat(measured.wrongs().getFirst()).startsWith("GET /x was not answered: ");
        }
    }

    /**
     * A server that needs 50 ms for each request cannot serve 100 a second. Latency includes the time that requests
     * wait.
     */
    @Test
    void anOpenLoopMeasuresLatencyFromTheTimeARequestIsDue() throws InterruptedException {
        Target target = serving(request -> vertx.setTimer(50, _ -> request.response().end()));
        try (ClientConnections wire = new ClientConnections(vertx, target, 1)) {
            Measurements measured = new Driver(vertx, wire)
                    .openLoop(times(1000, get("read")), Duration.ofMillis(500), 100);
            // 50 were due; at most 20 fit into twice the duration.
            assertThat(measured.requests() + measured.unsent()).isEqualTo(50);
            assertThat(measured.unsent()).isBetween(25L, 49L);
            assertThat(measured.kinds().get("read").latencyMsMax()).isGreaterThan(400);
            // At least half were never sent, so they waited longest.
            assertThat(measured.kinds().get("read").latencyMs(51))
                    .isEqualTo(measured.kinds().get("read").latencyMsMax());
        }
    }

    @Test
    void anOpenLoopKeepsItsRateIfTheServerIsFastEnough() throws InterruptedException {
        Target target = serving(request -> request.response().end());
        try (ClientConnections wire = new ClientConnections(vertx, target, 16)) {
            Measurements measured = new Driver(vertx, wire)
                    .openLoop(times(1_000_000, get("read")), Duration.ofSeconds(5), 40);
            assertThat(measured.requests()).isEqualTo(200);
            assertThat(measured.unsent()).isZero();
        }
    }

    @Test
    void anOpenLoopEndsWithItsTraffic() throws InterruptedException {
        Target target = serving(request -> request.response().end());
        try (ClientConnections wire = new ClientConnections(vertx, target, 2)) {
            Measurements measured = new Driver(vertx, wire).openLoop(times(10, get("read")), Duration.ofDays(1), 100);
            assertThat(measured.requests()).isEqualTo(10);
            assertThat(measured.unsent()).isZero();
        }
    }

    @Test
    void countsThePhasesOfServerTiming() throws InterruptedException {
        Target target = serving(
                request -> request.response().putHeader("server-timing", "filter;dur=2, claim;dur=40").end());
        try (ClientConnections wire = new ClientConnections(vertx, target, 1)) {
            Measurements measured = new Driver(vertx, wire).closedLoop(times(10, get("schedule")), LONG);
            assertThat(measured.requests()).isEqualTo(10);
            assertThat(measured.kinds()).containsOnlyKeys("schedule", "schedule: filter", "schedule: claim");
            assertThat(measured.kinds().get("schedule: claim").isPhase()).isTrue();
            assertThat(measured.kinds().get("schedule: claim").latencyMs(50)).isBetween(39.9, 40.1);
        }
    }

    @Test
    void anExceptionInTheTrafficEndsTheRun() {
        Target target = serving(request -> request.response().end());
        try (ClientConnections wire = new ClientConnections(vertx, target, 1)) {
            org.assertj.core.api.Assertions.assertThatThrownBy(() -> new Driver(vertx, wire).closedLoop(() -> {
                throw new IllegalArgumentException("bug");
            }, LONG)).hasRootCauseMessage("bug");
        }
    }
}
