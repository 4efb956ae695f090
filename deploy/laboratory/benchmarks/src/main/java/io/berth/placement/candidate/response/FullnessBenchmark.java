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
import java.util.Random;
import java.util.UUID;
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
 * Measures a query for four VCPU on fleets that are empty, three quarters full or nearly full, from a parsed query to
 * the bytes of the response. The providers lie in random order in the heap. Excludes HTTP and the database.
 */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
public class FullnessBenchmark {
    /** The maximum size of a response in bytes. */
    private static final long BYTES_MAX = 256L * 1024 * 1024;

    @Param({"5000", "50000"})
    public int hosts;

    /** In the nearly full fleet, one host in a thousand has room for the query. */
    @Param({"empty", "three quarters full", "nearly full"})
    public String fleet;

    /** The maximum number of candidates in the response. */
    @Param({"10", "1000"})
    public int limit;

    /** The hosts to which the query is limited. */
    @Param({"all", "one of three zones", "a trait of a tenth of the hosts"})
    public String asked;

    private FleetView view;
    private CandidateQuery query;
    private final ResponseForm form = ResponseForm.of(Microversion.MAX);

    @Setup
    public void build() {
        Random random = new Random(1);
        // Each host has 64 VCPU; the switch returns how many of them are used.
        view = Clouds.aged(Clouds.zones(hosts, host -> switch (fleet) {
            case "empty" -> 0;
            case "three quarters full" -> 32 + random.nextInt(33);
            case "nearly full" -> host % 1_000 == 0 ? 56 : 61 + random.nextInt(4);
            default -> throw new IllegalArgumentException(fleet);
        }), random);
        Map<String, List<String>> parameters = new LinkedHashMap<>();
        parameters.put("resources", List.of("VCPU:4,MEMORY_MB:16384,DISK_GB:40"));
        // All hosts meet this demand: each has CUSTOM_7, and none of these fleets has a host with LAST_HOST.
        parameters.put("required", List.of("CUSTOM_7,!" + Clouds.LAST_HOST));
        switch (asked) {
            case "all" -> {}
            case "one of three zones" -> parameters.put("member_of", List.of(new UUID(1, 1).toString()));
            case "a trait of a tenth of the hosts" ->
                parameters.put("required", List.of(Clouds.TENTH_HOST + ",!" + Clouds.LAST_HOST));
            default -> throw new IllegalArgumentException(asked);
        }
        parameters.put("limit", List.of(Integer.toString(limit)));
        query = CandidateQueryParser.parse(parameters, Microversion.MAX);
    }

    /** Renders the response of {@code GET /allocation_candidates}. */
    @Benchmark
    public byte[] plain() {
        ResolvedQuery resolved = ResolvedQuery.of(view, query);
        return bytes(resolved, new CandidatesResponse(view, resolved, form, BYTES_MAX));
    }

    /**
     * Renders the response of {@code GET /berth/v1/candidates}, which refers to provider trees that the client has
     * cached.
     */
    @Benchmark
    public byte[] references() {
        ResolvedQuery resolved = ResolvedQuery.of(view, query);
        return bytes(resolved, new CandidateReferences(view, resolved, List.of(), BYTES_MAX));
    }

    private byte[] bytes(ResolvedQuery resolved, CandidatesBody body) {
        var task = new SearchTask(view, resolved, CandidateOptions.DEFAULT, null, body);
        if (task.finish() instanceof Outcome.Rendered rendered) {
            return rendered.bytes().toByteArray();
        }
        throw new IllegalStateException(fleet + " has no response");
    }
}
