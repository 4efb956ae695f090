package io.berth.placement.candidate.answer;

import static io.berth.placement.candidate.search.FleetBuilder.aFleet;
import static org.assertj.core.api.Assertions.assertThat;

import io.berth.placement.candidate.answer.SearchTask.Outcome;
import io.berth.placement.http.Json;
import org.junit.jupiter.api.Test;

class SearchTaskTest {
    @Test
    void givesUpARequestWithTooManyCombinations() {
        // 15 groups on any of 20 siblings, and one that no sibling can be under: only the last choice shows that it was
        // in vain.
        var fleet = aFleet().root("cn");
        var query = new StringBuilder("group_policy=none");
        var suffixes = new java.util.StringJoiner(",");
        for (int i = 0; i < 20; i++) {
            fleet.child("pf" + i).inventory("CUSTOM_VF", 100);
        }
        for (int i = 0; i < 15; i++) {
            query.append("&resources_").append(i).append("=CUSTOM_VF:1");
            suffixes.add("_" + i);
        }
        query.append("&resources_X=CUSTOM_GPU:1&same_subtree=").append(suffixes).append(",_X");
        fleet.child("gpu").inventory("CUSTOM_GPU", 1);
        assertThat(Found.task(fleet.view(), query.toString(), 100_000_000).finish())
                .isInstanceOf(Outcome.TooManyCombinations.class);
    }

    @Test
    void stopsWritingAnAnswerThatIsTooLarge() {
        var fleet = aFleet();
        for (int i = 0; i < 1_000; i++) {
            fleet.root("cn" + i).inventory("VCPU", 1);
        }
        var view = fleet.view();
        assertThat(Found.task(view, "resources=VCPU:1", 10_000).finish()).isInstanceOf(Outcome.TooLarge.class);
        assertThat(Found.task(view, "resources=VCPU:1", 1_000_000).finish()).isInstanceOf(Outcome.Answered.class);
    }

    @Test
    void leavesLargeWorkToAWorkerAndFinishesItThere() {
        var fleet = aFleet();
        for (int i = 0; i < 1_000; i++) {
            fleet.root("cn" + i).inventory("VCPU", 1);
        }
        var task = Found.task(fleet.view(), "resources=VCPU:1", 1_000_000);
        assertThat(task.tryFor(500)).isNull();
        var json = ((Outcome.Answered) task.finish()).bytes().toByteArray();
        assertThat(Json.parse(json).get("allocation_requests")).hasSize(1_000);
    }
}
