package io.berth.deploy.load;

import io.berth.deploy.load.floor.ConstantBody;
import io.berth.deploy.load.floor.Pgbench;
import io.berth.deploy.load.http.Driver;
import io.berth.deploy.load.http.Measured;
import io.berth.deploy.load.http.Wire;
import io.berth.deploy.load.report.CpuMeter;
import io.berth.deploy.load.report.Report;
import io.berth.deploy.load.report.Row;
import io.berth.deploy.load.report.Watched;
import io.vertx.core.Vertx;
import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Measures, in the same run, what the figures of the services can be held against. */
final class Floors {
    /** Questions whose answers' sizes are measured as constant bodies. */
    static final List<String> COMPARED = List.of("limit-10", "limit-1000");
    private static final int PGBENCH_HOSTS = 5_000;

    private final Settings settings;
    private final Report report;
    private final Vertx vertx;
    private final CpuMeter cpu;

    Floors(Settings settings, Report report, Vertx vertx, CpuMeter cpu) {
        this.settings = settings;
        this.report = report;
        this.vertx = vertx;
        this.cpu = cpu;
    }

    /** After a fleet: PostgreSQL's floor, if claims were measured and there is a database to measure it in. */
    void measure() throws IOException, InterruptedException {
        boolean claimed = report.rows().stream().anyMatch(row -> row.kind().startsWith("claim"));
        if (claimed && settings.databaseUrl() != null) {
            if (Pgbench.isInstalled()) {
                pgbench();
            } else {
                report.say("pgbench: skipped, not installed");
            }
        }
    }

    /** @param compared the question measured just before, at the same number of connections */
    void constantBody(ConstantBody server, Row compared) throws InterruptedException {
        var meter = new CpuMeter(List.of(new Watched("constant", server.pid())));
        String name = "constant body, " + compared.kind();
        try (Wire wire = new Wire(vertx, server.target(), compared.connections())) {
            var driver = new Driver(vertx, wire);
            driver.closedLoop(server.traffic(name), settings.warmUp());
            Map<String, Double> before = meter.seconds();
            Measured measured = driver.closedLoop(server.traffic(name), settings.duration());
            double floor = measured.kinds().get(name).good() / measured.seconds();
            report.add("-", compared.connections(), measured, CpuMeter.since(before, meter.seconds()),
                    "%s reached %.2f of it".formatted(compared.kind(), compared.perSecond() / floor));
        }
    }

    private void pgbench() throws IOException, InterruptedException {
        try (Pgbench pgbench = Pgbench.begin(settings.databaseUrl(), PGBENCH_HOSTS)) {
            for (Pgbench.Form form : Pgbench.Form.values()) {
                for (boolean hot : new boolean[] {false, true}) {
                    for (int clients : settings.connections()) {
                        Map<String, Double> before = cpu.seconds();
                        int seconds = (int) settings.duration().toSeconds();
                        Pgbench.Figures figures = pgbench.measure(form, hot, clients, seconds);
                        Map<String, Double> spent = CpuMeter.since(before, cpu.seconds());
                        report.add(row(form, hot, clients, figures, spent));
                    }
                }
            }
        }
    }

    private static Row row(Pgbench.Form form, boolean hot, int clients, Pgbench.Figures figures,
            Map<String, Double> cpuSeconds) {
        Map<String, Double> cpuMs = new LinkedHashMap<>();
        cpuSeconds.forEach((label, seconds) -> {
            if (!label.equals(CpuMeter.GENERATOR)) {
                cpuMs.put(label, 1000 * seconds / Math.max(1, figures.transactions()));
            }
        });
        return new Row("-", form.label(), false, clients, figures.perSecond(), figures.transactions(), 0, 0,
                Map.of("mean", figures.latencyMsMean()), 0, cpuMs, (hot ? "one host" : "random hosts") + ", mean");
    }
}
