package io.berth.deploy.load;

import io.berth.deploy.load.fleet.Books;
import io.berth.deploy.load.fleet.Fleet;
import io.berth.deploy.load.fleet.FleetLoad;
import io.berth.deploy.load.fleet.FleetRemoval;
import io.berth.deploy.load.floor.ConstantBody;
import io.berth.deploy.load.http.Answer;
import io.berth.deploy.load.http.Driver;
import io.berth.deploy.load.http.Exchange;
import io.berth.deploy.load.http.Measured;
import io.berth.deploy.load.http.Outcome;
import io.berth.deploy.load.http.Traffic;
import io.berth.deploy.load.http.Wire;
import io.berth.deploy.load.report.CpuMeter;
import io.berth.deploy.load.report.Report;
import io.berth.deploy.load.situation.Situation;
import io.berth.deploy.load.situation.Situations;
import io.berth.deploy.load.situation.Stage;
import io.vertx.core.Vertx;
import io.vertx.core.VertxOptions;
import java.io.IOException;
import java.io.PrintStream;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.function.IntSupplier;

/** A whole run: each fleet is loaded, measured in all its situations, and removed. */
final class Bench {
    private static final Duration UNLIMITED = Duration.ofHours(6);
    private static final long PROGRESS_MS = 5_000;

    private final Settings settings;
    private final Report report;
    private final CpuMeter cpu;
    private Floors floors;
    private int situationCount;

    Bench(Settings settings, PrintStream out) {
        this.settings = settings;
        this.report = new Report(out, settings.describe());
        this.cpu = new CpuMeter(settings.watched());
    }

    /** False when an answer was wrong. */
    boolean run() throws Unusable, IOException, InterruptedException {
        // One event loop: a generator that takes both cores measures itself.
        Vertx vertx = Vertx.vertx(new VertxOptions().setEventLoopPoolSize(1));
        floors = new Floors(settings, report, vertx, cpu);
        try {
            for (int i = 0; i < settings.fleets().size(); i++) {
                Fleet fleet = settings.fleets().get(i);
                boolean keep = settings.keepsFleet() && i == settings.fleets().size() - 1;
                var stage = new Stage(
                        vertx, settings.placement(), settings.scheduler(), fleet, new Books(), settings.seed());
                requireEmpty(stage);
                measure(stage, keep);
            }
            if (settings.floors()) {
                floors.measure();
            }
        } finally {
            vertx.close().toCompletionStage().toCompletableFuture().join();
            report.write(settings.file());
        }
        report.say("bench: %d situations, %d requests, %d errors, %s"
                .formatted(situationCount, report.requests(), report.problems().size(), settings.file()));
        return report.problems().isEmpty();
    }

    private void requireEmpty(Stage stage) throws Unusable, InterruptedException {
        Answer answer = stage.call(stage.placement(), Exchange.get("check", "/resource_providers", _ -> Outcome.GOOD));
        if (answer.status() == 0) {
            throw new Unusable("nothing answers at " + stage.placement());
        }
        if (answer.status() != 200) {
            throw new Unusable(answer.wrong("GET " + stage.placement() + "/resource_providers").why());
        }
        int providers = answer.json().path("resource_providers").size();
        if (providers > 0) {
            throw new Unusable("%s has %d resource providers already: the bench needs an empty service"
                    .formatted(stage.placement(), providers));
        }
    }

    private void measure(Stage stage, boolean keep) throws Unusable, IOException, InterruptedException {
        var load = new FleetLoad(stage.fleet(), stage.books());
        boolean loaded = withProgress(stage, "loading", load, load::complete);
        try {
            stage.audit(List.of()).forEach(report::problem);
            for (Situation situation : loaded ? situations(stage) : List.<Situation>of()) {
                situationCount++;
                for (int connections : settings.connections()) {
                    play(stage, situation, connections);
                }
            }
            if (loaded && settings.floors() && settings.perSecond() == 0) {
                compareWithConstantBodies(stage);
            }
        } finally {
            if (!keep) {
                var removal = new FleetRemoval(stage.fleet());
                withProgress(stage, "removing", removal, removal::complete);
            }
        }
        if (!loaded) {
            throw new Unusable("could not load " + stage.fleet() + ": " + report.problems().getFirst());
        }
        if (!keep) {
            requireEmpty(stage);
        }
    }

    private List<Situation> situations(Stage stage) {
        return Situations.of(stage.fleet().shape(), settings.situations()).stream()
                .filter(each -> stage.scheduler() != null || !each.name().equals(Situations.SCHEDULE))
                .toList();
    }

    /** Again, each beside its floor, and late: what was measured first was measured cold. */
    private void compareWithConstantBodies(Stage stage) throws IOException, InterruptedException {
        for (Situation situation : situations(stage)) {
            String name = situation.name();
            if (Floors.COMPARED.contains(name)) {
                int bytes = (int) Math.round(report.rows().stream()
                        .filter(row -> row.kind().equals(name))
                        .findFirst().orElseThrow().bytesPerAnswer());
                try (ConstantBody server = ConstantBody.start(bytes)) {
                    for (int connections : settings.connections()) {
                        play(stage, situation, connections);
                        floors.constantBody(server, report.rows().getLast());
                    }
                }
            }
        }
    }

    /** False when something was not as it must be; that is reported. */
    private boolean withProgress(Stage stage, String doing, Traffic traffic, IntSupplier done)
            throws InterruptedException {
        long began = System.nanoTime();
        long timer = stage.vertx().setPeriodic(PROGRESS_MS, _ -> report.say(
                "  %s %s: %d of %d hosts".formatted(doing, stage.fleet(), done.getAsInt(), stage.fleet().size())));
        try (Wire wire = new Wire(stage.vertx(), stage.placement(), settings.loadConnections())) {
            Measured measured = new Driver(stage.vertx(), wire).closedLoop(traffic, UNLIMITED);
            measured.wrongs().forEach(report::problem);
            double seconds = (System.nanoTime() - began) / 1e9;
            report.say("%s %s: %d hosts, %d requests in %.1f s, %.0f a second".formatted(
                    doing, stage.fleet(), done.getAsInt(), measured.requests(), seconds,
                    measured.requests() / seconds));
            return measured.wrongCount() == 0;
        } finally {
            stage.vertx().cancelTimer(timer);
        }
    }

    private void play(Stage stage, Situation situation, int connections) throws InterruptedException {
        Situation.Act act = situation.begin(stage);
        try (Wire wire = new Wire(stage.vertx(), situation.target(stage), connections)) {
            var driver = new Driver(stage.vertx(), wire);
            if (settings.warmUp().isPositive()) {
                driver.closedLoop(act.traffic(), settings.warmUp()).wrongs().forEach(report::problem);
            }
            Map<String, Double> before = cpu.seconds();
            Measured measured = settings.perSecond() > 0
                    ? driver.openLoop(act.traffic(), settings.duration(), settings.perSecond())
                    : driver.closedLoop(act.traffic(), settings.duration());
            Map<String, Double> spent = CpuMeter.since(before, cpu.seconds());
            report.add(stage.fleet().toString(), connections, measured, spent, act.remark());
        } finally {
            act.end().forEach(report::problem);
        }
    }
}
