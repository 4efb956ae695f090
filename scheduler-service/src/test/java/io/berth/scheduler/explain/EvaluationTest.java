package io.berth.scheduler.explain;

import static io.berth.scheduler.Written.request;
import static org.assertj.core.api.Assertions.assertThat;

import io.berth.scheduler.job.FleetAnswers;
import io.berth.scheduler.job.FleetAsk;
import io.berth.scheduler.search.HostSearch;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/** What placement had no time for. */
class EvaluationTest {
    private static final HostSearch.Queries PLANNED =
            new HostSearch.Queries(request(""), "resources=VCPU:1", null, Map.of());

    @Test
    void hostsWhoseTreesPlacementDidNotTellAreNotLookedAt() {
        Target target = new Target("a", "a", UUID.randomUUID());
        List<String> provider = List.of(target.provider().toString());
        List<FleetAsk> asks = List.of(
                new FleetAsk.Explanation("resources=VCPU:1", provider, true), new FleetAsk.Trees(provider),
                new FleetAsk.Candidates("resources=VCPU:1"));
        FleetAnswers answers = FleetAnswers.parse("""
                {"as_of": {"replica": "r", "fleet_version": 1}, "gaps": ["asks[1]: time: not looked at"],
                 "answers": [{"providers": []}, null, null]}""".getBytes(StandardCharsets.UTF_8), asks, false);

        Evaluation evaluation =
                new Evaluation.Asked(null, PLANNED, List.of(target)).answered(answers, Evaluation.Detail.OBSTACLES);

        assertThat(evaluation.hosts()).isEmpty();
        assertThat(evaluation.gaps()).containsExactly("asks[1]: time: not looked at", "time: 1 hosts were not looked at");
    }
}
