package io.berth.deploy.load;

import io.berth.deploy.load.fleet.Fleet;
import io.berth.deploy.load.fleet.FleetLoad;
import io.berth.deploy.load.fleet.FleetRemoval;
import io.berth.deploy.load.http.ClientConnections;
import io.berth.deploy.load.http.Driver;
import io.berth.deploy.load.http.Exchange;
import io.berth.deploy.load.http.Measurements;
import io.berth.deploy.load.http.Outcome;
import io.berth.deploy.load.http.Response;
import io.berth.deploy.load.http.Traffic;
import io.berth.deploy.load.report.ProcessMeter;
import io.berth.deploy.load.report.Report;
import io.berth.deploy.load.report.Row;
import io.berth.deploy.load.situation.Situation;
import io.berth.deploy.load.situation.Stage;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.function.IntSupplier;

/**
 * The steps of a run: loads and removes fleets, and measures situations on the fleets (each {@link Situation} is one
 * kind of load with its checks). Adds all results and problems to the report.
 *
 * @param loadConnections connections for loading and removing fleets
 */
record SituationRunner(Report report, ProcessMeter cpu, int loadConnections) {
    /** The time limit for loading or removing a fleet: longer than the largest fleet takes. */
    private static final Duration LOAD_TIMEOUT = Duration.ofHours(6);
    private static final long PROGRESS_INTERVAL_MS = 5_000;

    /**
     * How a situation is measured.
     *
     * @param warmUp time of the same traffic in a closed loop before the measurement; zero for none
     * @param perSecond requests a second of an open loop; 0 for a closed loop
     */
    record Pace(int connections, Duration warmUp, Duration duration, double perSecond) {}

    /**
     * Checks that placement has no resource provider.
     *
     * @throws NotMeasurable if placement does not respond or already has a resource provider
     */
    void requireEmpty(Stage stage) throws NotMeasurable, InterruptedException {
        Response response =
                stage.call(stage.placement(), Exchange.get("check", "/resource_providers", _ -> Outcome.GOOD));
        if (response.status() == 0) {
            throw new NotMeasurable("no response from " + stage.placement());
        }
        if (response.status() != 200) {
            throw new NotMeasurable(response.wrong("GET " + stage.placement() + "/resource_providers").reason());
        }
        int providers = response.json().path("resource_providers").size();
        if (providers > 0) {
            throw new NotMeasurable("%s has %d resource providers already: the bench needs an empty service"
                    .formatted(stage.placement(), providers));
        }
    }

    /**
     * Creates the providers of the fleet and the initial consumers of its hosts in placement. Checks that the used
     * amounts are the expected ones.
     *
     * @throws NotMeasurable if a request failed, so that the fleet is incomplete; a wrong amount is only reported
     */
    void load(Stage stage, FleetLoad load) throws NotMeasurable, InterruptedException {
        if (!sendWithProgress(stage, "loading", load, load::completeHostCount)) {
            throw new NotMeasurable("could not load " + stage.fleet() + ": " + report.problems().getFirst());
        }
        stage.audit(List.of()).forEach(report::addProblem);
    }

    /** Removes the machines and registrations of {@link Stage#region}, and the fleet with its initial consumers. */
    void remove(Stage stage) throws InterruptedException {
        stage.region().removeAll(stage).forEach(report::addProblem);
        var removal = new FleetRemoval(stage.fleet());
        sendWithProgress(stage, "removing", removal, removal::removedHostCount);
    }

    /**
     * Sends all requests of the traffic. Every five seconds and at the end, prints how many hosts are complete. Reports
     * wrong responses. Returns false if there were any.
     */
    private boolean sendWithProgress(Stage stage, String activity, Traffic traffic, IntSupplier completeHosts)
            throws InterruptedException {
        long beganNanos = System.nanoTime();
        long timer = stage.vertx().setPeriodic(PROGRESS_INTERVAL_MS, _ -> report.printLine(
                "  %s %s: %d of %d hosts"
                        .formatted(activity, stage.fleet(), completeHosts.getAsInt(), stage.fleet().size())));
        try (ClientConnections connections = new ClientConnections(stage.vertx(), stage.placement(), loadConnections)) {
            Measurements measurements = new Driver(stage.vertx(), connections).closedLoop(traffic, LOAD_TIMEOUT);
            measurements.wrongs().forEach(report::addProblem);
            double seconds = (System.nanoTime() - beganNanos) / 1e9;
            report.printLine("%s %s: %d hosts, %d requests in %.1f s, %.0f a second".formatted(
                    activity, stage.fleet(), completeHosts.getAsInt(), measurements.requests(), seconds,
                    measurements.requests() / seconds));
            return measurements.wrongCount() == 0;
        } finally {
            stage.vertx().cancelTimer(timer);
        }
    }

    /**
     * Measures a situation, and checks its effects. Returns the row of the requests whose kind is the situation's name;
     * {@link Row#none} if no request has this kind.
     */
    Row play(Stage stage, Situation situation, Pace pace) throws InterruptedException {
        int rowsBefore = report.rows().size();
        Situation.Act act = situation.begin(stage);
        try (ClientConnections connections =
                new ClientConnections(stage.vertx(), situation.target(stage), pace.connections())) {
            var driver = new Driver(stage.vertx(), connections);
            if (pace.warmUp().isPositive()) {
                driver.closedLoop(act.traffic(), pace.warmUp()).wrongs().forEach(report::addProblem);
            }
            Map<String, Double> cpuBefore = cpu.seconds();
            Map<String, Double> writtenBefore = cpu.writtenBytes();
            Measurements measurements = pace.perSecond() > 0
                    ? driver.openLoop(act.traffic(), pace.duration(), pace.perSecond())
                    : driver.closedLoop(act.traffic(), pace.duration());
            Map<String, Double> cpuSeconds = ProcessMeter.increases(cpuBefore, cpu.seconds());
            Map<String, Double> writtenBytes = ProcessMeter.increases(writtenBefore, cpu.writtenBytes());
            report.add(stage.fleet().toString(), pace.connections(), measurements, cpuSeconds, writtenBytes,
                    situation.name(), act.remark());
            Measurements concurrent = act.stopConcurrentTraffic();
            if (concurrent != null) {
                report.add(stage.fleet().toString(), pace.connections(), concurrent, Map.of(), Map.of(),
                        situation.name(), "");
            }
            checkResidentMemory(situation);
        } finally {
            act.end().forEach(report::addProblem);
        }
        return row(rowsBefore, situation.name());
    }

    /**
     * Returns the first row of the kind after the first {@code rowsBefore} rows of the report. Returns {@link Row#none}
     * if there is none: the situation {@code life-azure}, for example, has requests of several kinds, none of them with
     * its name.
     */
    Row row(int rowsBefore, String kind) {
        List<Row> rows = report.rows();
        return rows.subList(rowsBefore, rows.size()).stream()
                .filter(row -> row.kind().equals(kind))
                .findFirst().orElseGet(() -> Row.none(kind));
    }

    void reportResidentMemory(Fleet fleet) {
        printResidentMb("memory with " + fleet);
    }

    /** Prints the resident memory of each watched process, and returns it in MB by label. */
    private Map<String, Double> printResidentMb(String subject) {
        Map<String, Double> residentMb = cpu.residentMb();
        residentMb.forEach((label, mb) -> report.printLine("%s: %s has %.0f MB in RAM".formatted(subject, label, mb)));
        return residentMb;
    }

    /** Reports a problem if a watched process has more resident memory than the situation allows. */
    private void checkResidentMemory(Situation situation) {
        if (situation.residentMbMax() < Double.POSITIVE_INFINITY) {
            Map<String, Double> residentMb = printResidentMb(situation.name());
            if (residentMb.isEmpty()) {
                report.printLine(situation.name() + ": memory was not measured, no process is watched");
            }
            residentMb.forEach((label, mb) -> {
                if (mb > situation.residentMbMax()) {
                    report.addProblem("%s: %s has %.0f MB in RAM, %.0f are allowed"
                            .formatted(situation.name(), label, mb, situation.residentMbMax()));
                }
            });
        }
    }
}
