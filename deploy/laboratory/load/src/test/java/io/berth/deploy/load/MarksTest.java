package io.berth.deploy.load;

import static org.assertj.core.api.Assertions.assertThat;

import io.berth.deploy.load.fleet.ExpectedUsage;
import io.berth.deploy.load.fleet.Fleet;
import io.berth.deploy.load.http.Exchange;
import io.berth.deploy.load.http.Outcome;
import io.berth.deploy.load.http.Target;
import io.berth.deploy.load.http.Traffic;
import io.berth.deploy.load.mark.Mark;
import io.berth.deploy.load.mark.MarkTable;
import io.berth.deploy.load.report.ProcessMeter;
import io.berth.deploy.load.report.Report;
import io.berth.deploy.load.report.Row;
import io.berth.deploy.load.situation.Region;
import io.berth.deploy.load.situation.Situation;
import io.berth.deploy.load.situation.Stage;
import io.vertx.core.Vertx;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/**
 * Tests the marks of the load generator, which compare measurements with targets, and situations without successful
 * requests.
 */
class MarksTest {
    private static final SituationRunner.Pace PACE =
            new SituationRunner.Pace(1, Duration.ZERO, Duration.ofSeconds(30), 0);

    private final ByteArrayOutputStream printed = new ByteArrayOutputStream();
    private final Report report = new Report(new PrintStream(printed, true, StandardCharsets.UTF_8), Map.of());

    @Test
    void comparesTenCandidatesWithQuarkusRestInsteadOfBareVertx() {
        assertThat(MarkTable.text(Marks.tenCandidates(16_120, 9_000, 31_000, 60_861)))
                .isEqualTo("mark: holds        10 candidates of 5,000 hosts, 32 connections: 0.52 (at least 0.50); "
                        + "constant body of that size: 31,000/s (bare Vert.x 60,861/s), "
                        + "16,120/s (9,000/s of 20,000 flavors in turns)");
    }

    @Test
    void unmeasuredProcessorTimeDoesNotHold() {
        assertThat(Marks.processorTime(1.5).verdict()).isEqualTo(Mark.Verdict.HOLDS);
        assertThat(MarkTable.text(Marks.processorTime(Row.none("schedule").cpuMs())))
                .startsWith("mark: not measured ").endsWith(": - (at most 2), not measured");
    }

    @Test
    void aSituationWithoutResponsesFailsTheRunButNotTheMarks() throws InterruptedException {
        Row row = play(() -> null);
        assertThat(Mark.atMost("p50", "", "", row.percentilesMs().get("p50"), 8).verdict())
                .isEqualTo(Mark.Verdict.NOT_MEASURED);
        assertThat(report.problems()).containsExactly("asked: none of 0 requests succeeded");
        assertThat(printed.toString(StandardCharsets.UTF_8))
                .contains("asked: memory was not measured, no process is watched");
    }

    @Test
    void aSituationWhoseRequestsAreAllRefusedFailsTheRun() throws InterruptedException {
        var left = new AtomicInteger(3);
        assertThat(play(() -> left.getAndDecrement() > 0 ? Exchange.get("asked", "/", _ -> Outcome.REFUSED) : null)
                .refused())
                .isEqualTo(3);
        assertThat(report.problems()).containsExactly("asked: none of 3 requests succeeded");
    }

    private Row play(Traffic traffic) throws InterruptedException {
        Vertx vertx = Vertx.vertx();
        try {
            int port = vertx.createHttpServer().requestHandler(request -> request.response().end())
                    .listen(0, "127.0.0.1")
                    .toCompletionStage().toCompletableFuture().join().actualPort();
            var stage = new Stage(vertx, new Target("127.0.0.1", port, "", "t"), null, null, null,
                    Fleet.parse("flat:1"),
                    new Region(1), new ExpectedUsage(), 1);
            return new SituationRunner(report, new ProcessMeter(List.of()), 1).play(stage, new Fixed(traffic), PACE);
        } finally {
            vertx.close().toCompletionStage().toCompletableFuture().join();
        }
    }

    private record Fixed(Traffic traffic) implements Situation {
        @Override
        public String name() {
            return "asked";
        }

        @Override
        public double residentMbMax() {
            return 512;
        }

        @Override
        public Act begin(Stage stage) {
            return () -> traffic;
        }
    }
}
