package io.berth.deploy.load.floor;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assumptions.assumeThat;

import io.berth.deploy.load.http.ClientConnections;
import io.berth.deploy.load.http.Driver;
import io.berth.deploy.load.http.Measurements;
import io.berth.deploy.load.http.Traffic;
import io.vertx.core.Vertx;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** Tests the measurements of floors: servers that return a constant body, as processes, and the figures of pgbench. */
class FloorsIT {
    private static final Path PACKAGED = Path.of("..", "constant-body", "target", "quarkus-app");

    @Test
    void bareVertxServesTheBodyFromItsOwnProcess() throws IOException, InterruptedException {
        ConstantBody server = new ConstantBodies(PACKAGED, List.of("-Xmx64m")).startVertx(4321);
        assertThat(server.stack().label()).isEqualTo("bare Vert.x");
        assertServesTwentyBodies(server);
    }

    @Test
    void quarkusRestServesTheBodyFromItsOwnProcess() throws IOException, InterruptedException {
        assumeThat(PACKAGED.resolve("quarkus-run.jar")).as("constant-body is not packaged yet").exists();
        ConstantBody server = new ConstantBodies(PACKAGED, List.of("-Xmx64m")).startQuarkus(4321);
        assertThat(server.stack().label()).isEqualTo("constant body");
        assertServesTwentyBodies(server);
    }

    @Test
    void startsWhileJvmOptionsPrintOtherOutput() throws IOException, InterruptedException {
        assertServesTwentyBodies(
                new ConstantBodies(PACKAGED, List.of("-Xmx64m", "-Xlog:class+load=info")).startVertx(4321));
    }

    private static void assertServesTwentyBodies(ConstantBody server) throws InterruptedException {
        Vertx vertx = Vertx.vertx();
        try (server;
                ClientConnections wire = new ClientConnections(vertx, server.target(), 4)) {
            Traffic endless = server.traffic("constant");
            var left = new AtomicInteger(20);
            Measurements measured = new Driver(vertx, wire).closedLoop(
                    () -> left.getAndDecrement() > 0 ? endless.next() : null, Duration.ofSeconds(30));
            assertThat(measured.wrongs()).isEmpty();
            assertThat(measured.requests()).isEqualTo(20);
            assertThat(measured.kinds().get("constant").bytesPerResponse()).isEqualTo(4321);
            assertThat(server.pid()).isNotEqualTo(ProcessHandle.current().pid());
            server.close();
            assertThat(ProcessHandle.of(server.pid())).isEmpty();
        } finally {
            vertx.close().toCompletionStage().toCompletableFuture().join();
        }
    }

    @Test
    void reportsThatAServerDidNotStart() {
        assertThatThrownBy(() -> new ConstantBodies(Path.of("/"), List.of()).startQuarkus(4321))
                .hasMessage("constant body: the server did not start: the process ended");
    }

    @Test
    void parsesTheFiguresOfPgbench() throws IOException {
        assertThat(Pgbench.Figures.parse("""
                number of transactions actually processed: 12345
                number of failed transactions: 0 (0.000%)
                latency average = 6.789 ms
                initial connection time = 3.210 ms
                tps = 1178.123456 (without initial connection time)
                """)).isEqualTo(new Pgbench.Figures(1178.123456, 6.789, 12345));
    }

    @Test
    void reportsTheLastLineIfPgbenchFails() {
        assertThatThrownBy(() -> Pgbench.Figures.parse("a\npgbench: error: no such table\n"))
                .hasMessage("pgbench: pgbench: error: no such table");
    }
}
