package io.berth.placement.candidate.response;

import io.berth.model.Microversion;
import io.berth.placement.candidate.query.CandidateQuery;
import io.berth.placement.candidate.query.CandidateQueryParser;
import io.berth.placement.candidate.response.SearchTask.Outcome;
import io.berth.placement.candidate.search.CandidateOptions;
import io.berth.placement.candidate.search.ResolvedQuery;
import io.berth.placement.fleet.FleetView;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;

/**
 * Measures a search for at most 1,000 allocation candidates and the rendering of the response, from a parsed query to
 * bytes, at the newest microversion. Excludes HTTP and the database.
 */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
public class CandidatesBenchmark {
    private static final String RESOURCES = "VCPU:2,MEMORY_MB:2048,DISK_GB:20";
    /** The maximum size of a response in bytes. */
    private static final long BYTES_MAX = 256L * 1024 * 1024;

    @Param({"empty cloud of 10000", "empty cloud of 100000", "no host has room", "one host has the trait", "wide tree",
        "deep tree"})
    public String situation;

    private FleetView view;
    private CandidateQuery query;
    private final ResponseForm form = ResponseForm.of(Microversion.MAX);

    @Setup
    public void build() {
        switch (situation) {
            case "empty cloud of 10000" ->
                prepare(Clouds.flat(10_000, 0), Map.of("resources", RESOURCES, "required", Clouds.EVERY_HOST));
            case "empty cloud of 100000" ->
                prepare(Clouds.flat(100_000, 0), Map.of("resources", RESOURCES, "required", Clouds.EVERY_HOST));
            // Each host has 63 of its 64 VCPU in use, so the search finds no host for 2 VCPU.
            case "no host has room" -> prepare(Clouds.flat(10_000, 63), Map.of("resources", RESOURCES));
            // Only the last host has the required trait.
            case "one host has the trait" ->
                prepare(Clouds.flat(10_000, 0), Map.of("resources", RESOURCES, "required", Clouds.LAST_HOST));
            // Eight request groups, each on another of the eight children of one host.
            case "wide tree" -> {
                Map<String, String> groups = new LinkedHashMap<>(Map.of("group_policy", "isolate"));
                for (int i = 1; i <= 8; i++) {
                    groups.put("resources" + i, "CUSTOM_VF:1");
                }
                prepare(Clouds.tree(8, false), groups);
            }
            // Two request groups in one subtree of a host with 200 providers, each below the previous one.
            case "deep tree" -> prepare(Clouds.tree(200, true), Map.of(
                    "resources1", "CUSTOM_VF:1", "resources2", "CUSTOM_VF:1", "group_policy", "isolate",
                    "same_subtree", "1,2"));
            default -> throw new IllegalArgumentException(situation);
        }
    }

    private void prepare(FleetView fleet, Map<String, String> parameters) {
        view = fleet;
        Map<String, List<String>> parameterLists = new LinkedHashMap<>();
        parameters.forEach((name, value) -> parameterLists.put(name, List.of(value)));
        parameterLists.put("limit", List.of("1000"));
        query = CandidateQueryParser.parse(parameterLists, Microversion.MAX);
    }

    @Benchmark
    public byte[] answer() {
        ResolvedQuery resolved = ResolvedQuery.of(view, query);
        var response = new CandidatesResponse(view, resolved, form, BYTES_MAX);
        var task = new SearchTask(view, resolved, CandidateOptions.DEFAULT, null, response);
        if (task.finish() instanceof Outcome.Rendered rendered) {
            return rendered.bytes().toByteArray();
        }
        throw new IllegalStateException(situation + " has no response");
    }
}
