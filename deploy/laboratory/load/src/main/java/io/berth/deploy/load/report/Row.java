package io.berth.deploy.load.report;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.berth.deploy.load.http.Measurements;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.StringJoiner;

/**
 * One line of the results: the figures of one kind of request in one measurement.
 *
 * @param fleet the fleet, such as {@code flat:1000}; a dash if the row is not about a fleet
 * @param kind the name of the situation, of the kind of request or of the phase
 * @param isPhase whether the row is about a phase of requests, which the service itself timed
 * @param perSecond rate of good responses; for pgbench, of transactions
 * @param good number of good responses
 * @param refused number of refusals that the API allows
 * @param wrong number of wrong responses
 * @param percentilesMs latencies in ms by name: {@code p50}, {@code p99} and {@code max}; only {@code mean} for pgbench
 * @param bytesPerResponse mean size of the response bodies
 * @param costs the costs of one request; {@link Costs#NONE} for a phase, or if the costs are in the row of another kind
 * @param remark a line for the reader; empty for none, and for a phase
 */
public record Row(
        String fleet,
        String kind,
        boolean isPhase,
        int connections,
        double perSecond,
        long good,
        long refused,
        long wrong,
        Map<String, Double> percentilesMs,
        double bytesPerResponse,
        Costs costs,
        String remark) {
    /** Labels of the processes that take part in a scheduling decision. */
    private static final Set<String> SERVICES = Set.of("placement", "scheduler", "postgres");
    private static final String FORMAT = "%-12s %-33s %5s %9s %9s %9s %9s %8s %9s  %s";

    /**
     * The mean costs of a request, by label of the process.
     *
     * @param cpuMs processor time in ms
     * @param writtenBytes bytes written to sockets and files
     */
    public record Costs(Map<String, Double> cpuMs, Map<String, Double> writtenBytes) {
        static final Costs NONE = new Costs(Map.of(), Map.of());
        /** Fewer bytes per request are not shown, because the process writes so few for other reasons than requests. */
        private static final double WRITTEN_SHOWN_MIN = 100;

        private String text() {
            var cpu = new StringJoiner(" + ");
            cpuMs.forEach((label, ms) -> cpu.add("%s %s".formatted(label, number(ms))));
            var written = new StringJoiner(" + ", "; ", " B written").setEmptyValue("");
            writtenBytes.forEach((label, bytes) -> {
                if (bytes >= WRITTEN_SHOWN_MIN) {
                    written.add("%s %s".formatted(label, number(bytes)));
                }
            });
            return cpu + written.toString();
        }
    }

    static Row of(
            String fleet,
            String name,
            Measurements.Kind kind,
            int connections,
            Measurements measurements,
            Costs costs,
            String remark) {
        Map<String, Double> percentiles = new LinkedHashMap<>();
        percentiles.put("p50", kind.latencyMs(50));
        percentiles.put("p99", kind.latencyMs(99));
        percentiles.put("max", kind.latencyMsMax());
        boolean isPhase = kind.isPhase();
        return new Row(fleet, name, isPhase, connections, kind.good() / Math.max(1e-9, measurements.seconds()),
                kind.good(), kind.refused(), kind.wrong(), percentiles, kind.bytesPerResponse(), costs,
                isPhase ? "" : remark);
    }

    /** Returns a row for a measurement that does not exist: no responses, and NaN for rate, latencies and size. */
    public static Row none(String kind) {
        return new Row("-", kind, false, 0, Double.NaN, 0, 0, 0, Map.of("p50", Double.NaN, "p99", Double.NaN),
                Double.NaN,
                Costs.NONE, "");
    }

    public static String head() {
        return FORMAT.formatted("fleet", "measured", "conn.", "good/s", "p50 ms", "p99 ms", "refused", "wrong",
                "B/answer", "CPU ms/request; remark");
    }

    public String text() {
        String cost = costs.text();
        String note = cost.isEmpty() || remark.isEmpty() ? cost + remark : cost + "; " + remark;
        return FORMAT.formatted(fleet, (isPhase ? "  " : "") + kind, connections, number(perSecond),
                number(percentilesMs.getOrDefault("p50", percentilesMs.getOrDefault("mean", Double.NaN))),
                number(percentilesMs.getOrDefault("p99", Double.NaN)), refused, wrong,
                Math.round(bytesPerResponse), note)
                .stripTrailing();
    }

    ObjectNode json() {
        ObjectNode json = JsonNodeFactory.instance.objectNode();
        json.put("fleet", fleet).put("kind", kind).put("is_phase", isPhase).put("connections", connections);
        json.put("good_per_s", round(perSecond)).put("good", good).put("refused", refused).put("wrong", wrong);
        ObjectNode latency = json.putObject("latency_ms");
        percentilesMs.forEach((name, ms) -> latency.put(name, round(ms)));
        json.put("bytes_per_answer", Math.round(bytesPerResponse));
        ObjectNode cpu = json.putObject("cpu_ms_per_request");
        costs.cpuMs().forEach((label, ms) -> cpu.put(label, round(ms)));
        ObjectNode written = json.putObject("written_bytes_per_request");
        costs.writtenBytes().forEach((label, bytes) -> written.put(label, Math.round(bytes)));
        return json.put("remark", remark);
    }

    /**
     * Returns the rate of good responses and refusals together, per second. It is 0 if no response was good, and NaN
     * for {@link #none}.
     */
    public double answeredPerSecond() {
        return good == 0 ? perSecond : perSecond * (good + refused) / good;
    }

    /**
     * Returns the processor time per request in ms, of all watched processes and this process; NaN if placement, the
     * scheduler or PostgreSQL was not watched, or if the row has no costs.
     */
    public double cpuMs() {
        Map<String, Double> cpuMsByLabel = costs.cpuMs();
        return cpuMsByLabel.keySet().containsAll(SERVICES)
                ? cpuMsByLabel.values().stream().mapToDouble(ms -> ms).sum()
                : Double.NaN;
    }

    /** Returns {@link #cpuMs} without the processor time of this process, the load generator. */
    public double servicesCpuMs() {
        return cpuMs() - costs.cpuMs().getOrDefault(ProcessMeter.GENERATOR, 0.0);
    }

    private static double round(double value) {
        return Math.round(value * 1000) / 1000.0;
    }

    /**
     * Renders a number with at least three significant digits or, if it is less than 1, with three digits after the
     * decimal point. Renders a dash for NaN.
     */
    private static String number(double value) {
        if (Double.isNaN(value)) {
            return "-";
        }
        String format = value >= 100 ? "%,.0f" : value >= 10 ? "%.1f" : value >= 1 ? "%.2f" : "%.3f";
        return String.format(Locale.ROOT, format, value);
    }
}
