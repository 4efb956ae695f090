package io.berth.deploy.load;

import io.berth.deploy.load.fleet.ExpectedUsage;
import io.berth.deploy.load.fleet.Fleet;
import io.berth.deploy.load.fleet.FleetLoad;
import io.berth.deploy.load.floor.ConstantBody;
import io.berth.deploy.load.report.ProcessMeter;
import io.berth.deploy.load.report.Report;
import io.berth.deploy.load.report.Row;
import io.berth.deploy.load.situation.Region;
import io.berth.deploy.load.situation.Situation;
import io.berth.deploy.load.situation.Situations;
import io.berth.deploy.load.situation.Stage;
import io.vertx.core.Vertx;
import io.vertx.core.VertxOptions;
import java.io.IOException;
import java.io.PrintStream;
import java.time.Duration;
import java.util.List;

/**
 * A run of {@code deploy/bench} without {@code --marks}. For each fleet: loads the fleet into placement, measures the
 * situations (each {@link Situation} is one kind of load with its checks), and removes the fleet. With {@code --keep},
 * the last fleet is not removed. With floors, also measures the figures of {@link Floors} for the situations that are
 * compared with them.
 */
final class Bench {
    /** Connections of a situation that is played once, instead of at each of the run's numbers of connections. */
    private static final int CONNECTIONS_OF_SINGLE_PLAY = 4;

    private final Settings settings;
    private final Report report;
    private final ProcessMeter cpu;
    /** Plays the situations, and loads and removes the fleets. */
    private final SituationRunner runner;
    private Floors floors;
    private int situationCount;

    Bench(Settings settings, PrintStream out) {
        this.settings = settings;
        this.report = new Report(out, settings.describe());
        this.cpu = new ProcessMeter(settings.watched());
        this.runner = new SituationRunner(report, cpu, settings.loadConnections());
    }

    /**
     * Runs all measurements and writes the results file. Returns false if the report has a problem: a response was
     * wrong, a check of a situation failed, or nothing was measured.
     */
    boolean run() throws NotMeasurable, IOException, InterruptedException {
        // One event loop, so that the generator uses one core at most and leaves the others to the services.
        Vertx vertx = Vertx.vertx(new VertxOptions().setEventLoopPoolSize(1));
        floors = new Floors(settings.databaseUrl(), report, vertx, cpu);
        try {
            for (int i = 0; i < settings.fleets().size(); i++) {
                Fleet fleet = settings.fleets().get(i);
                boolean keepsThisFleet = settings.keepsFleet() && i == settings.fleets().size() - 1;
                var stage = new Stage(
                        vertx, settings.placement(), settings.scheduler(), settings.schedulerOfReplicas(),
                        settings.schedulerWithoutRecords(), fleet,
                        new Region(settings.seed()), new ExpectedUsage(), settings.seed());
                runner.requireEmpty(stage);
                measure(stage, keepsThisFleet);
            }
            boolean hasClaims = report.rows().stream().anyMatch(row -> row.kind().startsWith("claim"));
            if (settings.measuresFloors() && hasClaims) {
                floors.measurePgbench(settings.connections(), settings.duration());
            }
            if (situationCount == 0) {
                report.addProblem("nothing was measured");
            }
        } finally {
            vertx.close().toCompletionStage().toCompletableFuture().join();
            report.write(settings.resultsFile());
        }
        report.printLine("bench: %d situations, %d requests, %d errors, %s"
                .formatted(situationCount, report.requests(), report.problems().size(), settings.resultsFile()));
        return report.problems().isEmpty();
    }

    private void measure(Stage stage, boolean keepsThisFleet) throws NotMeasurable, IOException, InterruptedException {
        try {
            runner.load(stage, new FleetLoad(stage.fleet(), stage.expectedUsage(), 0));
            for (Situation situation : situations(stage)) {
                situationCount++;
                if (situation.singlePlayLimit() != null) {
                    runner.play(stage, situation, singlePlayPace(situation.singlePlayLimit()));
                    continue;
                }
                for (int connections : settings.connections()) {
                    runner.play(stage, situation, pace(connections));
                }
            }
            runner.reportResidentMemory(stage.fleet());
            // The floors are highest rates, with which the given rate of an open loop cannot be compared.
            if (settings.measuresFloors() && settings.perSecond() == 0) {
                compareWithConstantBodies(stage);
            }
        } finally {
            if (keepsThisFleet) {
                stage.region().stop();
            } else {
                runner.remove(stage);
            }
        }
        if (!keepsThisFleet) {
            runner.requireEmpty(stage);
        }
    }

    private SituationRunner.Pace pace(int connections) {
        return new SituationRunner.Pace(connections, settings.warmUp(), settings.duration(), settings.perSecond());
    }

    /**
     * Returns the pace of a situation that is played once: a closed loop without a warm-up.
     *
     * @param limit the situation's time limit; if the run's duration is longer, the run's duration is the limit
     */
    private SituationRunner.Pace singlePlayPace(Duration limit) {
        Duration duration = settings.duration().compareTo(limit) > 0 ? settings.duration() : limit;
        return new SituationRunner.Pace(CONNECTIONS_OF_SINGLE_PLAY, Duration.ZERO, duration, 0);
    }

    private List<Situation> situations(Stage stage) {
        return Situations.of(stage.fleet().shape(), settings.situations()).stream()
                .filter(situation -> isPlayable(situation, stage))
                .toList();
    }

    /** Returns whether the situation can be played; prints the reason if not. */
    private boolean isPlayable(Situation situation, Stage stage) {
        String obstacle = Situations.missingService(situation, stage);
        if (obstacle != null) {
            report.printLine("skipped: %s, %s".formatted(situation.name(), obstacle));
        }
        return obstacle == null;
    }

    /**
     * Measures the situations of {@link Floors#COMPARED_SITUATIONS} again at each number of connections, and after each
     * measurement two servers that respond with a constant body. The body has the size of the responses in the
     * situation's first measurement of the run; a situation without a good response is left out. Runs after the other
     * situations of a fleet, when the JVMs have compiled the services' code.
     */
    private void compareWithConstantBodies(Stage stage) throws IOException, InterruptedException {
        for (Situation situation : situations(stage)) {
            String name = situation.name();
            Row measured = runner.row(0, name);
            if (Floors.COMPARED_SITUATIONS.contains(name) && measured.good() > 0) {
                int bytes = (int) Math.round(measured.bytesPerResponse());
                try (ConstantBody quarkus = settings.constantBodies().startQuarkus(bytes);
                        ConstantBody vertx = settings.constantBodies().startVertx(bytes)) {
                    for (int connections : settings.connections()) {
                        Row row = runner.play(stage, situation, pace(connections));
                        floors.measureConstantBody(quarkus, row, settings.warmUp(), settings.duration());
                        floors.measureConstantBody(vertx, row, settings.warmUp(), settings.duration());
                    }
                }
            }
        }
    }
}
