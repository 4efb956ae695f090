package io.berth.placement.candidate.response;

import static io.berth.placement.candidate.search.FleetBuilder.aFleet;
import static java.util.stream.Collectors.joining;
import static org.assertj.core.api.Assertions.assertThat;

import io.berth.placement.candidate.response.SearchTask.Outcome;
import io.berth.placement.candidate.search.FleetBuilder;
import io.berth.placement.http.Json;
import java.util.Arrays;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Tests the limits of a candidate search in steps, memory and size of the response. */
class SearchTaskTest {
    @Test
    void givesUpARequestWithTooManyCombinations() {
        // 15 groups fit any of 20 siblings, and one fits a provider that is in no subtree with them: only the last
        // choice shows that no combination is possible.
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
    void givesUpARequestWithTooManyPendingTrees() {
        var fleet = aFleet();
        for (int i = 0; i < 5_000; i++) {
            fleet.root("cn" + i).child("numa0-" + i).inventory("VCPU", 100).child("numa1-" + i).inventory("VCPU", 100);
        }
        assertThatItIsGivenUp(fleet, groups(100, "VCPU") + "&limit=10000");
    }

    @Test
    void givesUpARequestWithTooManySharedCandidates() {
        var fleet = aFleet().root("cn").in("rack").root("pools");
        for (int i = 0; i < 500; i++) {
            fleet.child("disks" + i).sharing("rack").inventory("DISK_GB", 100)
                    .child("addresses" + i).sharing("rack").inventory("IPV4_ADDRESS", 100);
        }
        assertThatItIsGivenUp(fleet, "resources=DISK_GB:1,IPV4_ADDRESS:1");
    }

    @Test
    void givesUpARequestWithTooManyGroupsForTheSharingProviders() {
        var fleet = aFleet().root("cn").in("rack");
        for (int i = 0; i < 12_000; i++) {
            fleet.root("disks" + i).sharing("rack").inventory("DISK_GB", 100);
        }
        assertThatItIsGivenUp(fleet, groups(3_000, "DISK_GB") + "&limit=1");
    }

    @Test
    void givesUpARequestWithTooManyTraitsForTheProvidersOfATree() {
        var fleet = aFleet().root("cn");
        for (int i = 0; i < 3_000; i++) {
            fleet.child("numa" + i).traits("CUSTOM_A");
            for (int j = 0; j < 25; j++) {
                fleet.inventory("CUSTOM_R" + j, 1);
            }
        }
        String resources = IntStream.range(0, 25).mapToObj(j -> "CUSTOM_R" + j + ":1").collect(joining(","));
        fleet.root("other").traits(traits(4_000));
        String traits = Arrays.stream(traits(4_000)).map(other -> "&required=in:CUSTOM_A," + other).collect(joining());
        assertThatItIsGivenUp(fleet, "resources=" + resources + "&limit=1" + traits);
    }

    @Test
    void countsEachTraitLookupAsASearchStep() {
        String[] traits = traits(2_000);
        var fleet = aFleet();
        for (int i = 0; i < 100; i++) {
            fleet.root("cn" + i).inventory("VCPU", 1).traits(traits);
            fleet.root("last" + i).inventory("VCPU", 1).traits("CUSTOM_LAST");
        }
        String query = "resources=VCPU:1&required=" + String.join(",", traits) + ",CUSTOM_LAST";
        assertThat(Found.task(fleet.view(), query, 1_000_000).tryFor(500)).isNull();
        String repeated = "resources=VCPU:1&required=CUSTOM_0" + ",CUSTOM_0".repeat(2_000) + ",CUSTOM_LAST";
        assertThat(Found.task(fleet.view(), repeated, 1_000_000).tryFor(500)).isNotNull();
    }

    private static String[] traits(int count) {
        return IntStream.range(0, count).mapToObj(i -> "CUSTOM_" + i).toArray(String[]::new);
    }

    private static String groups(int count, String resourceClass) {
        return IntStream.range(0, count).mapToObj(i -> "&resources_" + i + "=" + resourceClass + ":1")
                .collect(joining("", "group_policy=none", ""));
    }

    /**
     * Asserts that the search gives up because it needs more than its share of a 1 GB heap, before it has tried too
     * many combinations.
     */
    private static void assertThatItIsGivenUp(FleetBuilder fleet, String query) {
        assertThat(Found.task(fleet.view(), query, 100_000_000).finish())
                .isInstanceOf(Outcome.TooManyCombinations.class);
    }

    @Test
    void stopsWritingAResponseThatIsTooLarge() {
        var fleet = aFleet();
        for (int i = 0; i < 1_000; i++) {
            fleet.root("cn" + i).inventory("VCPU", 1);
        }
        var view = fleet.view();
        assertThat(Found.task(view, "resources=VCPU:1", 10_000).finish()).isInstanceOf(Outcome.TooLarge.class);
        assertThat(Found.task(view, "resources=VCPU:1", 1_000_000).finish()).isInstanceOf(Outcome.Rendered.class);
    }

    @Test
    void continuesASearchThatExceededItsStepBudget() {
        var fleet = aFleet();
        for (int i = 0; i < 1_000; i++) {
            fleet.root("cn" + i).inventory("VCPU", 1);
        }
        var task = Found.task(fleet.view(), "resources=VCPU:1", 1_000_000);
        assertThat(task.tryFor(500)).isNull();
        var json = ((Outcome.Rendered) task.finish()).bytes().toByteArray();
        assertThat(Json.parse(json).get("allocation_requests")).hasSize(1_000);
    }
}
