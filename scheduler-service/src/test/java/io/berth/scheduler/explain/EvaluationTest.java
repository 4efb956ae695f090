package io.berth.scheduler.explain;

import static io.berth.scheduler.Written.request;
import static org.assertj.core.api.Assertions.assertThat;

import io.berth.scheduler.job.FleetQuery;
import io.berth.scheduler.job.FleetResults;
import io.berth.scheduler.search.HostSearch;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/** Evaluates incomplete results, for which placement had no time. */
class EvaluationTest {
    private static final HostSearch.Queries PLANNED =
            new HostSearch.Queries(request(""), "resources=VCPU:1", null, Map.of());

    @Test
    void reportsHostsWithoutTreesAsNotEvaluated() {
        Target target = new Target("a", "a", UUID.randomUUID());
        List<String> provider = List.of(target.provider().toString());
        List<FleetQuery> queries = List.of(
                new FleetQuery.Explanation("resources=VCPU:1", provider, true), new FleetQuery.Trees(provider),
                new FleetQuery.Candidates("resources=VCPU:1"));
        FleetResults results = FleetResults.parse("""
                {"as_of": {"replica": "r", "fleet_version": 1}, "gaps": ["asks[1]: time: not looked at"],
                 "answers": [{"providers": []}, null, null]}""".getBytes(StandardCharsets.UTF_8), queries, false);

        Evaluation evaluation =
                new Evaluation.PlacementCall(null, PLANNED, List.of(target))
                        .evaluateResults(results, Evaluation.Detail.OBSTACLES);

        assertThat(evaluation.hosts()).isEmpty();
        assertThat(evaluation.gaps())
                .containsExactly("asks[1]: time: not looked at", "time: 1 hosts were not evaluated");
    }
}
