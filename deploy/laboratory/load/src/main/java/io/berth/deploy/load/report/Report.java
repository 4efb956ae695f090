package io.berth.deploy.load.report;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.berth.deploy.load.http.Measurements;
import io.berth.deploy.load.mark.Mark;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Collects the results of a run: prints each row at once, and writes all rows to a JSON file at the end. */
public final class Report {
    private static final ObjectMapper JSON = new ObjectMapper().enable(SerializationFeature.INDENT_OUTPUT);

    private final PrintStream out;
    private final Map<String, String> settings;
    private final List<Row> rows = new ArrayList<>();
    private final List<String> problems = new ArrayList<>();
    private long requests;
    private boolean hasHead;

    /** @param settings the settings of the run, by name, for the file */
    public Report(PrintStream out, Map<String, String> settings) {
        this.out = out;
        this.settings = new LinkedHashMap<>(settings);
    }

    /** Prints a line at once, for example about the progress. */
    public void printLine(String line) {
        out.println(line);
        out.flush();
    }

    /**
     * Adds a measurement: one row for each kind of request, and for each phase of a request that the service itself
     * timed. Reports wrong responses, and a problem if no request succeeded. If there were responses of the kind {@code
     * counted}, the costs are divided by their number and shown only in the row of that kind, because requests of other
     * kinds only accompany them. Otherwise the costs are divided by the number of all requests and shown in the row of
     * each kind.
     *
     * @param cpuSeconds processor time during the measurement, by label of the process
     * @param writtenBytes bytes that were written during the measurement, by label of the process
     * @param counted the kind of request by which the costs are divided
     * @param remark shown at the end of the rows; may be empty
     */
    public void add(
            String fleet,
            int connections,
            Measurements measurements,
            Map<String, Double> cpuSeconds,
            Map<String, Double> writtenBytes,
            String counted,
            String remark) {
        requests += measurements.requests();
        if (measurements.good() == 0) {
            addProblem("%s: none of %d requests succeeded".formatted(counted, measurements.requests()));
        }
        Measurements.Kind countedKind = measurements.kinds().get(counted);
        long divisor = Math.max(1, countedKind == null ? measurements.requests() : countedKind.requestCount());
        var costs = new Row.Costs(scaled(cpuSeconds, 1000.0 / divisor), scaled(writtenBytes, 1.0 / divisor));
        String unsent = measurements.unsent() == 0 ? "" : measurements.unsent() + " never sent";
        String note = remark.isEmpty() || unsent.isEmpty() ? remark + unsent : remark + ", " + unsent;
        measurements.kinds().forEach((name, kind) -> add(Row.of(fleet, name, kind, connections, measurements,
                kind.isPhase() || countedKind != null && kind != countedKind ? Row.Costs.NONE : costs, note)));
        measurements.wrongs().forEach(this::addProblem);
        if (measurements.wrongCount() > measurements.wrongs().size()) {
            addProblem("and %d more wrong responses"
                    .formatted(measurements.wrongCount() - measurements.wrongs().size()));
        }
    }

    private static Map<String, Double> scaled(Map<String, Double> sums, double factor) {
        Map<String, Double> scaledSums = new LinkedHashMap<>();
        sums.forEach((label, sum) -> scaledSums.put(label, factor * sum));
        return scaledSums;
    }

    public void add(Row row) {
        if (!hasHead) {
            hasHead = true;
            printLine(Row.head());
        }
        rows.add(row);
        printLine(row.text());
    }

    /** Reports a wrong response or result. The run continues, and fails when it ends. */
    public void addProblem(String line) {
        problems.add(line);
        printLine("WRONG: " + line);
    }

    public List<String> problems() {
        return List.copyOf(problems);
    }

    public List<Row> rows() {
        return List.copyOf(rows);
    }

    public long requests() {
        return requests;
    }

    /** Writes the results file of a run without marks. */
    public void write(Path file) throws IOException {
        write(file, List.of());
    }

    /** Writes the results file. Renames a temporary file, so that the results file is never incomplete. */
    public void write(Path file, List<Mark> marks) throws IOException {
        ObjectNode json = JsonNodeFactory.instance.objectNode();
        json.put("at", Instant.now().truncatedTo(ChronoUnit.SECONDS).toString());
        settings.forEach(json.putObject("settings")::put);
        ObjectNode machine = json.putObject("machine");
        machine.put("cores", Runtime.getRuntime().availableProcessors());
        machine.put("os", System.getProperty("os.name") + " " + System.getProperty("os.version"));
        machine.put("java", System.getProperty("java.vm.version"));
        json.put("requests", requests);
        ArrayNode jsonRows = json.putArray("rows");
        rows.forEach(row -> jsonRows.add(row.json()));
        ArrayNode jsonMarks = json.putArray("marks");
        for (Mark mark : marks) {
            ObjectNode jsonMark = jsonMarks.addObject();
            jsonMark.put("what", mark.label()).put("measured", mark.measured()).put("against", mark.reference());
            jsonMark.put("ratio", Double.isNaN(mark.compared()) ? null : mark.compared());
            jsonMark.put("wanted", mark.targetText()).put("verdict", mark.verdict().toString());
        }
        problems.forEach(json.putArray("problems")::add);
        Path newFile = file.resolveSibling(file.getFileName() + ".new");
        Files.write(newFile, JSON.writeValueAsBytes(json));
        Files.move(newFile, file, StandardCopyOption.REPLACE_EXISTING);
    }
}
