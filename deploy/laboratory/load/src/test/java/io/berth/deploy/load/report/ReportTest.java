package io.berth.deploy.load.report;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.berth.deploy.load.http.Measurements;
import io.berth.deploy.load.mark.Mark;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests the report of the load generator, and the meters of processor time and memory. */
class ReportTest {
    @TempDir
    Path folder;

    private static final Row ROW = new Row("flat:1000", "limit-10", false, 8, 1234.5678, 9876, 1, 2,
            Map.of("p50", 4.25, "p99", 12.5, "max", 101.0), 4798,
            new Row.Costs(Map.of("placement", 1.5), Map.of("placement", 390.0)), "10 candidates");

    @Test
    void printsTheHeaderOnceAndOneLinePerRow() {
        var bytes = new ByteArrayOutputStream();
        var report = new Report(new PrintStream(bytes, true, StandardCharsets.UTF_8), Map.of());
        report.add(ROW);
        report.add(ROW);
        List<String> lines = bytes.toString(StandardCharsets.UTF_8).lines().toList();
        assertThat(lines).hasSize(3);
        assertThat(lines.getFirst()).startsWith("fleet ");
        assertThat(lines.get(1).split("\\s+")).containsExactly("flat:1000", "limit-10", "8", "1,235", "4.25", "12.5",
                "1", "2", "4798", "placement", "1.50;", "placement", "390", "B", "written;", "10", "candidates");
    }

    @Test
    void aMeasurementWithoutSuccessesIsAProblem() {
        var report = new Report(new PrintStream(new ByteArrayOutputStream()), Map.of());
        report.add("flat:1", 1, new Measurements(), Map.of(), Map.of(), "claim-random", "");
        assertThat(report.problems()).containsExactly("claim-random: none of 0 requests succeeded");
    }

    @Test
    void processorTimeIsNotMeasuredUnlessAllProcessesAreWatched() {
        assertThat(row(Map.of(ProcessMeter.GENERATOR, 1.0)).cpuMs()).isNaN();
        assertThat(row(Map.of(ProcessMeter.GENERATOR, 1.0, "placement", 2.0, "scheduler", 4.0)).servicesCpuMs())
                .isNaN();
        Row all = row(Map.of(ProcessMeter.GENERATOR, 1.0, "placement", 2.0, "scheduler", 4.0, "postgres", 8.0));
        assertThat(all.cpuMs()).isEqualTo(15.0);
        assertThat(all.servicesCpuMs()).isEqualTo(14.0);
        assertThat(Row.none("schedule").cpuMs()).isNaN();
    }

    private static Row row(Map<String, Double> cpuMs) {
        return new Row("flat:1", "schedule", false, 8, 1, 1, 0, 0, Map.of(), 1, new Row.Costs(cpuMs, Map.of()), "");
    }

    @Test
    void writesAllFiguresAndProblems() throws IOException {
        Path file = folder.resolve("out.json");
        var report = new Report(new PrintStream(new ByteArrayOutputStream()), Map.of("seed", "1"));
        report.add(ROW);
        report.addProblem("one host too full");
        report.write(file);
        JsonNode json = new ObjectMapper().readTree(file.toFile());
        assertThat(json.path("settings").path("seed").asText()).isEqualTo("1");
        assertThat(json.path("machine").path("cores").asInt()).isPositive();
        JsonNode row = json.path("rows").path(0);
        assertThat(row.path("good_per_s").asDouble()).isEqualTo(1234.568);
        assertThat(row.path("latency_ms").path("p99").asDouble()).isEqualTo(12.5);
        assertThat(row.path("cpu_ms_per_request").path("placement").asDouble()).isEqualTo(1.5);
        assertThat(row.path("written_bytes_per_request").path("placement").asInt()).isEqualTo(390);
        assertThat(json.path("problems").path(0).asText()).isEqualTo("one host too full");
    }

    @Test
    @EnabledOnOs(OS.LINUX)
    void measuresTheTimeOfAProcessAndItsChildren() throws IOException, InterruptedException {
        Process shell = new ProcessBuilder("sh", "-c", "(while :; do :; done) & echo; wait").start();
        try {
            assertThat(shell.getInputStream().read()).isEqualTo('\n');
            var meter = new ProcessMeter(List.of(new WatchedProcess("busy", shell.pid())));
            Map<String, Double> before = meter.seconds();
            Map<String, Double> spent = Map.of();
            for (int i = 0; i < 100 && spent.getOrDefault("busy", 0.0) == 0; i++) {
                Thread.sleep(100);
                spent = ProcessMeter.increases(before, meter.seconds());
            }
            assertThat(spent.get("busy")).isPositive();
            assertThat(spent).containsKey(ProcessMeter.GENERATOR);
        } finally {
            shell.descendants().forEach(ProcessHandle::destroyForcibly);
            shell.destroyForcibly();
        }
    }

    @Test
    void writesMarksWithTheirVerdicts() throws IOException {
        Path file = folder.resolve("out.json");
        new Report(new PrintStream(new ByteArrayOutputStream()), Map.of()).write(file, List.of(
                Mark.atLeast("claims", "9/s", "pgbench: 3/s", 3.0, 3), Mark.notMeasured("memory", "none", 512, true)));
        JsonNode marks = new ObjectMapper().readTree(file.toFile()).path("marks");
        assertThat(marks.path(0).path("ratio").asDouble()).isEqualTo(3.0);
        assertThat(marks.path(0).path("verdict").asText()).isEqualTo("holds");
        assertThat(marks.path(1).path("ratio").isNull()).isTrue();
        assertThat(marks.path(1).path("verdict").asText()).isEqualTo("not measured");
    }

    @Test
    @EnabledOnOs(OS.LINUX)
    void measuresTheMemoryOfAProcess() {
        assertThat(ResidentMemory.mb(ProcessHandle.current().pid())).isBetween(10.0, 4_096.0);
        assertThat(ResidentMemory.mb(1L << 30)).isNaN();
    }

    @Test
    void skipsAProcessThatDoesNotExist() {
        // This is above every pid that Linux assigns.
        assertThat(new ProcessMeter(List.of(new WatchedProcess("gone", 1L << 30))).seconds()).doesNotContainKey("gone");
    }

    @ParameterizedTest
    @ValueSource(strings = {"placement", "placement=", "placement=0", "placement=x", "=5", "A=5"})
    void refusesInvalidProcesses(String text) {
        assertThatThrownBy(() -> WatchedProcess.parse(text)).isInstanceOf(IllegalArgumentException.class);
    }
}
