package io.berth.deploy.load;

import io.berth.deploy.load.floor.ConstantBody;
import io.berth.deploy.load.floor.Pgbench;
import io.berth.deploy.load.http.ClientConnections;
import io.berth.deploy.load.http.Driver;
import io.berth.deploy.load.http.Measurements;
import io.berth.deploy.load.report.ProcessMeter;
import io.berth.deploy.load.report.Report;
import io.berth.deploy.load.report.Row;
import io.berth.deploy.load.report.WatchedProcess;
import io.vertx.core.Vertx;
import java.io.IOException;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Measures reference figures ("floors"), with which the figures of the services from the same run are compared: the
 * rate of servers that respond with a constant body, and the rate of claims that pgbench writes directly to PostgreSQL.
 *
 * @param databaseUrl a PostgreSQL for pgbench, in the form of BERTH_DATABASE_URL; null to leave pgbench out
 */
record Floors(String databaseUrl, Report report, Vertx vertx, ProcessMeter cpu) {
    /** The situations that are compared with constant bodies of the same size. */
    static final List<String> COMPARED_SITUATIONS = List.of("limit-10", "limit-1000");
    private static final int PGBENCH_HOSTS = 5_000;

    /**
     * Measures a server that responds with a constant body. Adds the row of the server to the report and returns it.
     *
     * @param compared the row of the query that was measured just before; the server is measured at the same number of
     *         connections
     */
    Row measureConstantBody(ConstantBody server, Row compared, Duration warmUp, Duration duration)
            throws InterruptedException {
        var meter = new ProcessMeter(List.of(new WatchedProcess("constant", server.pid())));
        String name = server.stack().label() + ", " + compared.kind();
        try (ClientConnections connections = new ClientConnections(vertx, server.target(), compared.connections())) {
            var driver = new Driver(vertx, connections);
            driver.closedLoop(server.traffic(name), warmUp);
            Map<String, Double> before = meter.seconds();
            Measurements measurements = driver.closedLoop(server.traffic(name), duration);
            double floorPerSecond = measurements.kinds().get(name).good() / measurements.seconds();
            report.add("-", compared.connections(), measurements, ProcessMeter.increases(before, meter.seconds()),
                    Map.of(),
                    name, "%s reached %.2f of it".formatted(compared.kind(), compared.perSecond() / floorPerSecond));
        }
        return report.rows().getLast();
    }

    /**
     * Measures claims with pgbench in all forms, on random hosts and on one host, with each number of clients. If
     * pgbench cannot be run, prints the reason and measures nothing.
     */
    void measurePgbench(List<Integer> clients, Duration duration) throws IOException, InterruptedException {
        String obstacle = pgbenchObstacle();
        if (obstacle != null) {
            report.printLine(obstacle);
            return;
        }
        try (Pgbench pgbench = beginPgbench()) {
            for (Pgbench.Form form : Pgbench.Form.values()) {
                for (boolean onOneHost : new boolean[] {false, true}) {
                    for (int clientCount : clients) {
                        measurePgbench(pgbench, form, onOneHost, clientCount, duration);
                    }
                }
            }
        }
    }

    /** Returns why pgbench cannot be run; null if it can. */
    String pgbenchObstacle() {
        return databaseUrl == null ? "pgbench: skipped, no database URL"
                : Pgbench.isInstalled() ? null : "pgbench: skipped, not installed";
    }

    Pgbench beginPgbench() throws IOException, InterruptedException {
        return Pgbench.begin(databaseUrl, PGBENCH_HOSTS);
    }

    /**
     * Measures claims with pgbench. Adds the row to the report and returns it.
     *
     * @param onOneHost whether all claims are on one host; else they are on random hosts
     */
    Row measurePgbench(Pgbench pgbench, Pgbench.Form form, boolean onOneHost, int clients, Duration duration)
            throws IOException, InterruptedException {
        Map<String, Double> before = cpu.seconds();
        Pgbench.Figures figures = pgbench.measure(form, onOneHost, clients, (int) duration.toSeconds());
        Row row = row(form, onOneHost, clients, figures, ProcessMeter.increases(before, cpu.seconds()));
        report.add(row);
        return row;
    }

    private static Row row(Pgbench.Form form, boolean onOneHost, int clients, Pgbench.Figures figures,
            Map<String, Double> cpuSeconds) {
        Map<String, Double> cpuMs = new LinkedHashMap<>();
        cpuSeconds.forEach((label, seconds) -> {
            // This process only waits while pgbench runs.
            if (!label.equals(ProcessMeter.GENERATOR)) {
                cpuMs.put(label, 1000 * seconds / Math.max(1, figures.transactions()));
            }
        });
        return new Row("-", form.label(), false, clients, figures.perSecond(), figures.transactions(), 0, 0,
                Map.of("mean", figures.latencyMsMean()), 0, new Row.Costs(cpuMs, Map.of()),
                (onOneHost ? "one host" : "random hosts") + ", mean");
    }
}
