package io.berth.deploy.load;

import io.berth.deploy.load.fleet.ExpectedUsage;
import io.berth.deploy.load.fleet.Fleet;
import io.berth.deploy.load.fleet.FleetLoad;
import io.berth.deploy.load.floor.ConstantBody;
import io.berth.deploy.load.floor.Pgbench;
import io.berth.deploy.load.mark.Mark;
import io.berth.deploy.load.mark.MarkTable;
import io.berth.deploy.load.report.ProcessMeter;
import io.berth.deploy.load.report.Report;
import io.berth.deploy.load.report.ResidentMemory;
import io.berth.deploy.load.report.Row;
import io.berth.deploy.load.situation.Region;
import io.berth.deploy.load.situation.Situation;
import io.berth.deploy.load.situation.Situations;
import io.berth.deploy.load.situation.Stage;
import io.vertx.core.Vertx;
import io.vertx.core.VertxOptions;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.ToDoubleFunction;

/**
 * A run of {@code deploy/bench --marks}: measures every {@link Mark} (a figure with its target) on fixed fleets, in
 * about 50 minutes, or only the named marks on 5,000 hosts. If a mark compares two figures that are measured on
 * one fleet, they are measured alternately within the same minutes, so that both meet the same state of the machine.
 */
final class Marks {
    private static final int CONNECTIONS = 32;
    private static final int FEW_CONNECTIONS = 8;
    /** The target rate, per second, of queries for candidates, and of claims, while both run at the same time. */
    private static final double MIXED_PER_S = 1_500;
    /** The target rate of decisions per second. */
    private static final double DECISIONS_PER_S = 1_000;
    /**
     * Connections of an open loop. At half of {@link #DECISIONS_PER_S}, which is 500 a second, fewer than 64 requests
     * arrive in a stall of an eighth of a second, so that none waits for a connection.
     */
    private static final int OPEN_CONNECTIONS = 64;
    /**
     * The number of measurements of each of two compared figures if the difference is expected to be large. A mark
     * compares the two means.
     */
    private static final int MEASUREMENTS = 2;
    /**
     * The warm-up before most marks about decisions, in which most of a service's code is compiled. After only 45
     * seconds, later measurements of the mix of requests were a third faster than the first.
     */
    private static final Duration WARM_UP = Duration.ofSeconds(90);
    /** The number of measurements of each of two compared situations if the difference is expected to be small. */
    private static final int MANY_MEASUREMENTS = 8;
    /** The maximum resident memory of each service with 50,000 hosts, in MB. */
    private static final double RSS_MB_MAX = 512;
    private static final String TEN_CANDIDATES = "10 candidates of 5,000 hosts, 32 connections";
    /** A short warm-up; also the duration of a measurement that has no mark. */
    private static final Duration SHORT_WARM_UP = Duration.ofSeconds(4);

    private final Settings settings;
    private final Report report;
    private final SituationRunner runner;
    private final List<Mark> marks = new ArrayList<>();
    private Floors floors;
    private Vertx vertx;
    private int situationCount;

    Marks(Settings settings, PrintStream out) {
        this.settings = settings;
        this.report = new Report(out, settings.describe());
        this.runner = new SituationRunner(report, new ProcessMeter(settings.watched()), settings.loadConnections());
    }

    /**
     * Runs all measurements and writes the results. Returns false if a response or a check of a situation was wrong,
     * not if a mark was missed.
     */
    boolean run() throws NotMeasurable, IOException, InterruptedException {
        vertx = Vertx.vertx(new VertxOptions().setEventLoopPoolSize(1));
        floors = new Floors(settings.databaseUrl(), report, vertx, new ProcessMeter(settings.watched()));
        try {
            if (settings.marks().isEmpty()) {
                measureNestedAndWideFleets();
                measureFlatFleets();
            } else {
                measureChosenMarks();
            }
        } finally {
            vertx.close().toCompletionStage().toCompletableFuture().join();
            report.write(settings.resultsFile(), marks);
            if (settings.marksTable() != null) {
                Files.writeString(settings.marksTable(), MarkTable.markdown(marks));
            }
        }
        marks.forEach(mark -> report.printLine(MarkTable.text(mark)));
        report.printLine("bench: %d situations, %d requests, %d errors, %s"
                .formatted(situationCount, report.requests(), report.problems().size(), settings.resultsFile()));
        return report.problems().isEmpty();
    }

    /** Returns the names of marks that {@code --marks NAME} can measure alone, on 5,000 hosts. */
    static List<String> namesMeasuredAlone() {
        return List.of("throughput", "claims", "mixed", "records", "mix", "questions");
    }

    private void measureChosenMarks() throws NotMeasurable, IOException, InterruptedException {
        Stage stage = stage("flat:5000");
        runner.load(stage, new FleetLoad(stage.fleet(), stage.expectedUsage(), 0));
        for (String name : settings.marks()) {
            switch (name) {
                case "throughput" -> measureThroughput(stage);
                case "claims" -> measureClaims(stage);
                case "mixed" -> measureMixed(stage);
                case "records" -> measureRecords(stage);
                case "mix" -> {
                    measureDecisionRate(stage);
                    measureMix(stage);
                }
                case "questions" -> measureDuringAnalysisJobs(stage);
                default -> throw new IllegalArgumentException(name);
            }
        }
        removeUnlessKept(stage);
    }

    /** Measures nested and wide fleets, which have no marks: their figures are only reported. */
    private void measureNestedAndWideFleets() throws NotMeasurable, InterruptedException {
        Stage nestedSmall = stage("nested:1000");
        runner.requireEmpty(nestedSmall);
        runner.load(nestedSmall, new FleetLoad(nestedSmall.fleet(), nestedSmall.expectedUsage(), 0));
        playEverySituation(nestedSmall);
        Stage nestedLarge = growFleet(nestedSmall, "nested:5000");
        playEverySituation(nestedLarge);
        runner.remove(nestedLarge);
        Stage wide = stage("wide:10");
        runner.load(wide, new FleetLoad(wide.fleet(), wide.expectedUsage(), 0));
        playEverySituation(wide);
        runner.remove(wide);
    }

    private void playEverySituation(Stage stage) throws InterruptedException {
        for (Situation situation : Situations.of(stage.fleet().shape())) {
            play(stage, situation.name(), new SituationRunner.Pace(1, SHORT_WARM_UP, SHORT_WARM_UP, 0));
        }
    }

    private void measureFlatFleets() throws NotMeasurable, IOException, InterruptedException {
        Stage small = stage("flat:1000");
        runner.load(small, new FleetLoad(small.fleet(), small.expectedUsage(), 0));
        // Measurements whose result is not used here have no mark: their figures are only in the report.
        play(small, "limit-1000", closedLoop(CONNECTIONS));
        // Uses varied queries, to measure a search and not a cache look-up.
        double smallMs = play(small, "limit-1000-varied", closedLoop(1)).percentilesMs().get("p50");
        measureDecisions(small);

        Stage middle = growFleet(small, "flat:5000");
        double middleMs = play(middle, "limit-1000-varied", closedLoop(1)).percentilesMs().get("p50");
        addReferenceMark(middleMs);
        measureThroughput(middle);
        measureClaims(middle);
        measureMixed(middle);
        measureDecisionRate(middle);
        measureHalfRate(middle);
        measureRecords(middle);
        double mix = measureMix(middle);
        measureDuringAnalysisJobs(middle);

        measureDecisions(growFleet(middle, "flat:10000"));
        Stage large = growFleet(stage("flat:10000", middle.expectedUsage(), middle.region()), "flat:50000");
        double largeMs = play(large, "limit-1000-varied", closedLoop(1)).percentilesMs().get("p50");
        marks.add(Mark.atMost("1,000 candidates of 50,000 hosts, p50", msText(largeMs),
                "1,000 hosts: " + msText(smallMs), largeMs / smallMs, 1.5));
        measureDecisions(large);
        measureMixOfManyHosts(large, mix);
        measureMemory();
        removeUnlessKept(large);
    }

    private void removeUnlessKept(Stage stage) throws NotMeasurable, InterruptedException {
        if (settings.keepsFleet()) {
            stage.region().stop();
        } else {
            runner.remove(stage);
            runner.requireEmpty(stage);
        }
    }

    /**
     * Adds the mark of the latency compared with that of OpenStack's Placement, which {@code --reference-p50} states.
     */
    private void addReferenceMark(double p50Ms) {
        String label = "1,000 candidates of 5,000 hosts, 1 connection, p50";
        double reference = settings.referenceP50Ms();
        marks.add(reference > 0
                ? Mark.atLeast(label, msText(p50Ms), "OpenStack's Placement: " + msText(reference), reference / p50Ms,
                        100)
                : Mark.notMeasured(label, msText(p50Ms) + "; no reference was given", 100, false));
    }

    /** Measures the mark of queries for 10 candidates a second, compared with a constant body of the same size. */
    private void measureThroughput(Stage stage) throws IOException, InterruptedException {
        Row first = play(stage, "limit-10", closedLoop(CONNECTIONS));
        if (first.good() == 0) {
            marks.add(Mark.notMeasured(TEN_CANDIDATES, "no answer", 0.5, false));
            return;
        }
        double sameFlavorRate = 0;
        double quarkusRest = 0;
        double bareVertx = 0;
        int bytes = (int) Math.round(first.bytesPerResponse());
        try (ConstantBody quarkus = settings.constantBodies().startQuarkus(bytes);
                ConstantBody vertx = settings.constantBodies().startVertx(bytes)) {
            for (int i = 0; i < MEASUREMENTS; i++) {
                Row row = play(stage, "limit-10", closedLoop(CONNECTIONS));
                sameFlavorRate += row.perSecond() / MEASUREMENTS;
                quarkusRest += floors.measureConstantBody(quarkus, row, SHORT_WARM_UP, settings.duration())
                        .perSecond() / MEASUREMENTS;
                bareVertx += floors.measureConstantBody(vertx, row, SHORT_WARM_UP, settings.duration())
                        .perSecond() / MEASUREMENTS;
            }
        }
        double varied = play(stage, "limit-10-varied", closedLoop(CONNECTIONS)).perSecond();
        marks.add(tenCandidates(sameFlavorRate, varied, quarkusRest, bareVertx));
    }

    /**
     * Creates the mark of the rate of 10 candidates from rates in requests per second. The mark compares {@code
     * sameFlavorRate} with {@code quarkusRest}; the other two rates are only shown.
     *
     * @param sameFlavorRate the rate of one repeated query
     * @param varied the rate of queries that differ, so that no cache serves them
     * @param quarkusRest the rate of a constant body of the same size on placement's HTTP stack
     * @param bareVertx the rate of a constant body on Vert.x alone
     */
    static Mark tenCandidates(double sameFlavorRate, double varied, double quarkusRest, double bareVertx) {
        return Mark.atLeast(TEN_CANDIDATES,
                "%s (%s of 20,000 flavors in turns)".formatted(rateText(sameFlavorRate), rateText(varied)),
                "constant body of that size: %s (bare Vert.x %s)".formatted(rateText(quarkusRest), rateText(bareVertx)),
                sameFlavorRate / quarkusRest, 0.5);
    }

    private void measureClaims(Stage stage) throws IOException, InterruptedException {
        String obstacle = floors.pgbenchObstacle();
        if (obstacle != null) {
            measureClaims(stage, null, false, obstacle);
            measureClaims(stage, null, true, obstacle);
            return;
        }
        try (Pgbench pgbench = floors.beginPgbench()) {
            measureClaims(stage, pgbench, false, null);
            measureClaims(stage, pgbench, true, null);
        }
    }

    private void measureClaims(Stage stage, Pgbench pgbench, boolean onOneHost, String obstacle)
            throws IOException, InterruptedException {
        double claims = 0;
        double sevenPerSecond = 0;
        long refused = 0;
        for (int i = 0; i < MEASUREMENTS; i++) {
            Row row = play(stage, onOneHost ? "claim-hot" : "claim-random", closedLoop(CONNECTIONS));
            claims += row.perSecond() / MEASUREMENTS;
            refused += row.refused();
            if (pgbench != null) {
                sevenPerSecond += floors.measurePgbench(pgbench, Pgbench.Form.SEVEN, onOneHost, CONNECTIONS,
                        settings.duration())
                        .perSecond() / MEASUREMENTS;
            }
        }
        String label = onOneHost ? "claims on one host, 32 connections"
                : "claims on random hosts of 5,000, 32 connections";
        double target = onOneHost ? 8 : 3;
        if (pgbench == null) {
            marks.add(Mark.notMeasured(label, rateText(claims) + "; " + obstacle, target, false));
            return;
        }
        double onePerSecond =
                floors.measurePgbench(pgbench, Pgbench.Form.ONE, onOneHost, CONNECTIONS, settings.duration())
                        .perSecond();
        marks.add(Mark.atLeast(label, "%s, %d refused".formatted(rateText(claims), refused),
                "pgbench in 7 statements: %s (in one: %s)".formatted(rateText(sevenPerSecond), rateText(onePerSecond)),
                claims / sevenPerSecond, target));
    }

    /** Measures decisions at 32 connections. Returns their rate per second; NaN without a scheduler. */
    private double measureDecisions(Stage stage) throws InterruptedException {
        return stage.scheduler() == null
                ? Double.NaN
                : play(stage, Situations.SCHEDULE, closedLoop(CONNECTIONS)).perSecond();
    }

    /** Measures the mark of decisions a second, after a warm-up. Returns the rate; NaN without a scheduler. */
    private double measureDecisionRate(Stage stage) throws InterruptedException {
        String label = "decisions a second, 5,000 hosts, 32 connections";
        if (stage.scheduler() != null) {
            warmUp(stage, Situations.SCHEDULE);
        }
        double perSecond = measureDecisions(stage);
        marks.add(Double.isNaN(perSecond)
                ? Mark.notMeasured(label, "no scheduler", DECISIONS_PER_S, false)
                : Mark.atLeast(label, rateText(perSecond), "", perSecond, DECISIONS_PER_S));
        return perSecond;
    }

    /** Measures the marks of queries for candidates and claims that run at the same time. */
    private void measureMixed(Stage stage) throws InterruptedException {
        int rowsBefore = report.rows().size();
        play(stage, Situations.MIXED, closedLoop(FEW_CONNECTIONS));
        for (String kind : List.of(Situations.MIXED_CANDIDATES, Situations.MIXED_CLAIMS)) {
            Row row = runner.row(rowsBefore, kind);
            marks.add(Mark.atLeast(kind + " of 5,000 hosts a second, half of 8 connections each",
                    "%s, p99 %s".formatted(rateText(row.perSecond()), msText(row.percentilesMs().get("p99"))), "",
                    row.perSecond(), MIXED_PER_S));
        }
    }

    /**
     * Measures the marks of decisions about the mix of requests of a cloud, in which machines are also deleted. The
     * first mark compares the rate of decisions with that of one repeated request, the second with that of one repeated
     * request and a deletion for each decision. The other marks are the processor time and the p50 of a decision of the
     * mix, and the rate with replicas of placement.
     *
     * @return decisions a second of the mix, from the second mark; NaN without a scheduler
     */
    private double measureMix(Stage stage) throws InterruptedException {
        String label = "decisions a second as a cloud asks, 5,000 hosts, 32 connections";
        if (stage.scheduler() == null) {
            marks.add(Mark.notMeasured(label, "no scheduler", 0.8, false));
            return Double.NaN;
        }
        warmUp(stage, Situations.SCHEDULE_MIX);
        Turns againstRepeated = playAlternately(
                stage, Situations.SCHEDULE_MIX, Situations.SCHEDULE, closedLoop(CONNECTIONS), MEASUREMENTS);
        double perSecond = Turns.mean(againstRepeated.first(), Row::answeredPerSecond);
        double single = Turns.mean(againstRepeated.second(), Row::answeredPerSecond);
        long refused = againstRepeated.first().stream().mapToLong(Row::refused).sum();
        marks.add(Mark.atLeast(label, "%s, %d without a host".formatted(rateText(perSecond), refused),
                "the same request again and again: " + rateText(single), perSecond / single, 0.8));
        warmUp(stage, Situations.SCHEDULE_DELETE);
        Turns againstDeletions = playAlternately(
                stage, Situations.SCHEDULE_MIX, Situations.SCHEDULE_DELETE, closedLoop(CONNECTIONS), MEASUREMENTS);
        double mixPerSecond = Turns.mean(againstDeletions.first(), Row::answeredPerSecond);
        double deletingPerSecond = Turns.mean(againstDeletions.second(), Row::answeredPerSecond);
        marks.add(Mark.atLeast(
                "decisions a second as a cloud asks, compared with deletions on both sides", rateText(mixPerSecond),
                "the same request again and again, a deletion with each as here: " + rateText(deletingPerSecond),
                mixPerSecond / deletingPerSecond, 0.8));
        double cpuMs = Turns.mean(againstDeletions.first(), Row::cpuMs);
        marks.add(processorTime(cpuMs));
        double p50 = play(stage, Situations.SCHEDULE_MIX, closedLoop(FEW_CONNECTIONS)).percentilesMs().get("p50");
        marks.add(Mark.atMost("a decision as a cloud asks, 8 connections, p50 in ms", msText(p50), "", p50, 8));
        measureMixOfReplicas(stage);
        return mixPerSecond;
    }

    /**
     * Creates the mark of the processor time of a decision.
     *
     * @param ms processor time per decision in ms; NaN if not all processes were watched
     */
    static Mark processorTime(double ms) {
        return Mark.atMost(
                "processor time of a decision as a cloud asks, with a deletion, over all processes, ms", msText(ms), "",
                ms, 2);
    }

    /** Measures the mark of the mix of requests with two replicas of placement, compared with one replica. */
    private void measureMixOfReplicas(Stage stage) throws InterruptedException {
        String label = "decisions a second as a cloud asks, two replicas of placement behind HAProxy";
        if (stage.schedulerOfReplicas() == null) {
            marks.add(Mark.notMeasured(label, "no replicas behind a proxy", 0.8, false));
            return;
        }
        warmUp(stage, Situations.SCHEDULE_MIX_REPLICAS);
        Turns turns = playAlternately(
                stage, Situations.SCHEDULE_MIX_REPLICAS, Situations.SCHEDULE_MIX, closedLoop(CONNECTIONS),
                MEASUREMENTS);
        double replicasPerSecond = Turns.mean(turns.first(), Row::answeredPerSecond);
        double oneReplicaPerSecond = Turns.mean(turns.second(), Row::answeredPerSecond);
        marks.add(Mark.atLeast(label, rateText(replicasPerSecond), "one replica: " + rateText(oneReplicaPerSecond),
                replicasPerSecond / oneReplicaPerSecond, 0.8));
    }

    /**
     * Measures the mark of the mix of requests on 50,000 hosts, compared with its rate on 5,000 hosts.
     *
     * @param mixOf5000Hosts the rate on 5,000 hosts, in decisions a second
     */
    private void measureMixOfManyHosts(Stage stage, double mixOf5000Hosts) throws InterruptedException {
        String label = "decisions a second as a cloud asks, 50,000 hosts";
        if (stage.scheduler() == null) {
            marks.add(Mark.notMeasured(label, "no scheduler", 0.8, false));
            return;
        }
        warmUp(stage, Situations.SCHEDULE_MIX);
        double perSecond = play(stage, Situations.SCHEDULE_MIX, closedLoop(CONNECTIONS)).answeredPerSecond();
        marks.add(Mark.atLeast(label, rateText(perSecond), "5,000 hosts: " + rateText(mixOf5000Hosts),
                perSecond / mixOf5000Hosts, 0.8));
    }

    /** Measures the mark of the p99 of a decision in an open loop at half of {@link #DECISIONS_PER_S}. */
    private void measureHalfRate(Stage stage) throws InterruptedException {
        String label = "a decision at 500 a second, 5,000 hosts, p99 in ms";
        double rate = DECISIONS_PER_S / 2;
        if (stage.scheduler() == null) {
            marks.add(Mark.notMeasured(label, "no scheduler", 50, true));
            return;
        }
        Row row = play(stage, Situations.SCHEDULE,
                new SituationRunner.Pace(OPEN_CONNECTIONS, SHORT_WARM_UP, settings.duration(), rate));
        double p99 = row.percentilesMs().get("p99");
        marks.add(Mark.atMost(label, "%s at %s".formatted(msText(p99), rateText(row.perSecond())), "", p99, 50));
    }

    /** Measures the mark of the cost of decision records: decisions with records, and without. */
    private void measureRecords(Stage stage) throws InterruptedException {
        String label = "decisions a second with their records, 5,000 hosts, 32 connections";
        if (stage.schedulerWithoutRecords() == null) {
            marks.add(Mark.notMeasured(label, "no scheduler without records", 0.95, false));
            return;
        }
        warmUp(stage, Situations.SCHEDULE);
        warmUp(stage, Situations.SCHEDULE_UNRECORDED);
        Turns turns = playAlternately(stage, Situations.SCHEDULE, Situations.SCHEDULE_UNRECORDED,
                new SituationRunner.Pace(CONNECTIONS, SHORT_WARM_UP, settings.duration(), 0), MANY_MEASUREMENTS);
        double recordedPerSecond = Turns.mean(turns.first(), Row::perSecond);
        double unrecordedPerSecond = Turns.mean(turns.second(), Row::perSecond);
        marks.add(Mark.atLeast(label, figures(recordedPerSecond, turns.first()),
                "without: " + figures(unrecordedPerSecond, turns.second()),
                recordedPerSecond / unrecordedPerSecond, 0.95));
    }

    /** Returns the rate, and the processor time of a decision in the services, without the load generator. */
    private static String figures(double perSecond, List<Row> rows) {
        return "%s, %s of processor time each".formatted(rateText(perSecond),
                msText(Turns.mean(rows, Row::servicesCpuMs)));
    }

    /**
     * Measures the mark of decisions during analysis jobs (operators' queries, which a worker thread computes): the p99
     * of decisions with the jobs, and without.
     */
    private void measureDuringAnalysisJobs(Stage stage) throws InterruptedException {
        String label = "a decision while operators ask, 5,000 hosts, half of the rate that is possible, p99";
        if (stage.scheduler() == null) {
            marks.add(Mark.notMeasured(label, "no scheduler", 1.2, true));
            return;
        }
        warmUp(stage, Situations.SCHEDULE);
        double rate = measureDecisions(stage) / 2;
        warmUp(stage, Situations.SCHEDULE_QUESTIONED, OPEN_CONNECTIONS, rate);
        Turns turns = playAlternately(stage, Situations.SCHEDULE_QUESTIONED, Situations.SCHEDULE,
                new SituationRunner.Pace(OPEN_CONNECTIONS, SHORT_WARM_UP, settings.duration(), rate),
                MANY_MEASUREMENTS);
        double withJobsMs = Turns.median(turns.first(), row -> row.percentilesMs().get("p99"));
        double withoutJobsMs = Turns.median(turns.second(), row -> row.percentilesMs().get("p99"));
        marks.add(Mark.atMost(label,
                "%s at %s, %.2f processors busy".formatted(msText(withJobsMs), rateText(rate),
                        busyProcessors(rate, turns.first())),
                "without analysis jobs: %s, %.2f busy".formatted(msText(withoutJobsMs),
                        busyProcessors(rate, turns.second())),
                withJobsMs / withoutJobsMs, 1.2));
    }

    /** Returns the mean number of busy processors at this rate of decisions, from the processor time of a decision. */
    private static double busyProcessors(double rate, List<Row> rows) {
        return rate * Turns.mean(rows, Row::cpuMs) / 1_000;
    }

    /**
     * Plays two situations repeatedly in the order first, second, second, first, so that a drift over time affects both
     * equally.
     */
    private Turns playAlternately(Stage stage, String first, String second, SituationRunner.Pace pace,
            int measurementsOfEach)
            throws InterruptedException {
        Turns turns = new Turns(new ArrayList<>(), new ArrayList<>());
        for (int i = 0; i < 2 * measurementsOfEach; i++) {
            boolean isFirst = i % 4 == 0 || i % 4 == 3;
            (isFirst ? turns.first() : turns.second()).add(play(stage, isFirst ? first : second, pace));
        }
        return turns;
    }

    /** The measurements of two situations that were played alternately. */
    private record Turns(List<Row> first, List<Row> second) {
        static double mean(List<Row> rows, ToDoubleFunction<Row> figure) {
            return rows.stream().mapToDouble(figure).average().orElse(Double.NaN);
        }

        static double median(List<Row> rows, ToDoubleFunction<Row> figure) {
            double[] sorted = rows.stream().mapToDouble(figure).sorted().toArray();
            return (sorted[(sorted.length - 1) / 2] + sorted[sorted.length / 2]) / 2;
        }
    }

    /** Measures the marks of the resident memory of placement and of the scheduler. */
    private void measureMemory() {
        for (String service : List.of("placement", "scheduler")) {
            String label = "memory of " + service + " with 50,000 hosts, MB resident";
            double mb = settings.watched().stream()
                    .filter(watched -> watched.label().equals(service))
                    .mapToDouble(watched -> ResidentMemory.mb(watched.pid()))
                    .findFirst().orElse(Double.NaN);
            marks.add(Double.isNaN(mb)
                    ? Mark.notMeasured(label, "not watched", RSS_MB_MAX, true)
                    : Mark.atMost(label, String.format(Locale.ROOT, "%.0f MB", mb), "", mb, RSS_MB_MAX));
        }
    }

    private void warmUp(Stage stage, String name) throws InterruptedException {
        warmUp(stage, name, CONNECTIONS, 0);
    }

    private void warmUp(Stage stage, String name, int connections, double perSecond) throws InterruptedException {
        play(stage, name, new SituationRunner.Pace(connections, Duration.ZERO, WARM_UP, perSecond));
    }

    private SituationRunner.Pace closedLoop(int connections) {
        return new SituationRunner.Pace(connections, settings.warmUp(), settings.duration(), 0);
    }

    private Row play(Stage stage, String name, SituationRunner.Pace pace) throws InterruptedException {
        situationCount++;
        return runner.play(stage, Situations.of(stage.fleet().shape(), List.of(name)).getFirst(), pace);
    }

    private Stage stage(String fleet) {
        return stage(fleet, new ExpectedUsage(), new Region(settings.seed()));
    }

    private Stage stage(String fleet, ExpectedUsage expectedUsage, Region region) {
        return new Stage(vertx, settings.placement(), settings.scheduler(), settings.schedulerOfReplicas(),
                settings.schedulerWithoutRecords(),
                Fleet.parse(fleet), region, expectedUsage, settings.seed());
    }

    /** Adds hosts to the loaded fleet until it is the larger fleet, and returns the stage with the larger fleet. */
    private Stage growFleet(Stage smaller, String fleet) throws NotMeasurable, InterruptedException {
        Stage larger = stage(fleet, smaller.expectedUsage(), smaller.region());
        runner.load(larger, new FleetLoad(larger.fleet(), larger.expectedUsage(), smaller.fleet().size()));
        return larger;
    }

    private static String rateText(double perSecond) {
        return Double.isNaN(perSecond) ? "not measured" : String.format(Locale.ROOT, "%,.0f/s", perSecond);
    }

    private static String msText(double ms) {
        return Double.isNaN(ms) ? "not measured" : String.format(Locale.ROOT, "%,.2f ms", ms);
    }
}
