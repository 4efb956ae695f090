package io.berth.placement.candidate.explanation;

import static io.berth.placement.candidate.search.FleetBuilder.aFleet;
import static io.berth.placement.candidate.search.FleetBuilder.uuidOf;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.berth.placement.candidate.search.CandidateOptions;
import io.berth.placement.candidate.search.FleetBuilder;
import io.berth.placement.http.ApiException;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** Tests explanations of candidate queries: relaxations, order, and limits of time, size and combinations. */
class ExplanationTest {
    private static FleetBuilder hosts(int count) {
        var fleet = aFleet().knowingTraits("CUSTOM_A", "CUSTOM_B");
        for (int i = 0; i < count; i++) {
            fleet.root("cn" + i).inventory("VCPU", 8).inventory("MEMORY_MB", i % 2 == 0 ? 100 : 1000);
            if (i % 3 == 0) {
                fleet.traits("CUSTOM_A");
            }
        }
        return fleet;
    }

    /** The search evaluates this tree twice: once for the count and once for its obstacles. */
    @Test
    void aTreeThatNeedsASharingProviderHasNoObstacles() {
        var fleet = aFleet().root("cn").inventory("VCPU", 8).in("pool").root("ss").inventory("DISK_GB", 100)
                .sharing("pool");
        Explained explained = Explained.of(fleet.view(), "resources=VCPU:1,DISK_GB:1", "cn");
        assertThat(explained.json().path("candidates").asInt()).isEqualTo(1);
        assertThat(explained.obstacles()).isEmpty();
    }

    @Test
    void relaxesAsFewDemandsAsPossible() {
        // The hosts are 0 to 11; MEMORY_MB:500 fits on 1, 3, 5, 7, 9, 11; CUSTOM_A is on 0, 3, 6, 9.
        Explained explained = Explained.of(hosts(12).view(), "resources=VCPU:16,MEMORY_MB:500&required=CUSTOM_A");
        assertThat(explained.json().path("candidates").asInt()).isZero();
        assertThat(explained.relaxations()).isEqualTo(Map.of(
                "resources=VCPU:16", 2));
        explained = Explained.of(hosts(12).view(), "resources=VCPU:8,MEMORY_MB:500&required=CUSTOM_A");
        assertThat(explained.json().path("candidates").asInt()).isEqualTo(2);
        assertThat(explained.relaxations()).isEqualTo(Map.of("required=CUSTOM_A", 6, "resources=MEMORY_MB:500", 4));
    }

    @Test
    void reportsInventoryThatWithoutInventoryForbids() {
        var fleet = aFleet().root("pinned").inventory("VCPU", 8).child("numa").inventory("PCPU", 4)
                .root("shared").inventory("VCPU", 8);
        Explained explained = Explained.of(fleet.view(), "resources=VCPU:1&without_inventory=PCPU", "pinned");
        assertThat(explained.json().path("candidates").asInt()).isEqualTo(1);
        assertThat(explained.obstacles())
                .isEqualTo(List.of("pinned/numa: without_inventory=PCPU inventory_present [PCPU] [PCPU]"));
        assertThat(explained.relaxations()).isEqualTo(Map.of("without_inventory=PCPU", 2));
    }

    @Test
    void relaxesPairsIfNoSingleDemandIsEnough() {
        Explained explained = Explained.of(
                hosts(12).view(), "resources=VCPU:16,MEMORY_MB:500&required=CUSTOM_B&root_required=CUSTOM_A");
        assertThat(explained.relaxations()).isEqualTo(Map.of("required=CUSTOM_B resources=VCPU:16", 2));
    }

    @Test
    void relaxesAGroupTogetherWithItsTraits() {
        var fleet = aFleet().root("cn").inventory("VCPU", 8).child("pf").used("CUSTOM_VF", 1, 1).traits("CUSTOM_RED");
        Explained explained =
                Explained.of(fleet.view(), "resources=VCPU:1&resources_d=CUSTOM_VF:1&required_d=CUSTOM_RED");
        assertThat(explained.relaxations()).isEqualTo(Map.of("required_d=CUSTOM_RED resources_d=CUSTOM_VF:1", 1));
        assertThat(explained.json().path("relaxations").path(0).path("query").asText()).isEqualTo("resources=VCPU:1");
    }

    @Test
    void countsCandidatesLostByDroppingAnAmount() {
        // Only the device of "cn" has the trait.
        var fleet = aFleet().root("cn").inventory("VCPU", 8).child("pf").inventory("CUSTOM_VF", 1).traits("CUSTOM_RED")
                .root("a").inventory("VCPU", 8).traits("CUSTOM_RED")
                .root("b").inventory("VCPU", 8).traits("CUSTOM_RED");
        Explained explained = Explained.of(fleet.view(), "resources=VCPU:1,CUSTOM_VF:1&required=CUSTOM_RED");
        assertThat(explained.json().path("candidates").asInt()).isEqualTo(1);
        assertThat(explained.relaxations()).containsEntry("resources=CUSTOM_VF:1", 2);
    }

    @Test
    void countsCandidatesLostByDroppingTheTopOfASubtree() {
        // In "cn", only the root is above both devices.
        var fleet = aFleet().root("cn").inventory("VCPU", 8)
                .child("vf").inventory("CUSTOM_VF", 1)
                .under("cn").child("fpga").inventory("CUSTOM_FPGA", 1);
        for (String name : List.of("a", "b")) {
            fleet.root(name).child(name + "-vf").inventory("CUSTOM_VF", 1)
                    .under(name + "-vf").child(name + "-fpga").inventory("CUSTOM_FPGA", 1);
        }
        Explained explained = Explained.of(fleet.view(), "resources1=VCPU:1&resources2=CUSTOM_VF:1"
                + "&resources3=CUSTOM_FPGA:1&same_subtree=1,2,3&group_policy=none");
        assertThat(explained.json().path("candidates").asInt()).isEqualTo(1);
        assertThat(explained.relaxations()).containsEntry("resources1=VCPU:1", 2);
    }

    @Test
    void relaxesGroupPolicy() {
        var fleet = aFleet().root("cn").child("pf").inventory("CUSTOM_VF", 8);
        Explained explained = Explained.of(
                fleet.view(), "resources_a=CUSTOM_VF:1&resources_b=CUSTOM_VF:1&group_policy=isolate");
        assertThat(explained.relaxations()).isEqualTo(Map.of(
                "group_policy=isolate", 1, "resources_a=CUSTOM_VF:1", 1, "resources_b=CUSTOM_VF:1", 1));
    }

    @Test
    void returnsNoRelaxationIfNoneWouldHelp() {
        Explained explained = Explained.of(aFleet().root("cn").view(), "resources=VCPU:1");
        assertThat(explained.relaxations()).isEmpty();
        assertThat(explained.isComplete()).isTrue();
        assertThat(Explained.of(aFleet().view(), "resources=VCPU:1").json().path("roots").asInt()).isZero();
    }

    @Test
    void includesVersionAndTimeOfTheView() {
        var asOf = Explained.of(hosts(2).view(), "resources=VCPU:1").json().path("as_of");
        assertThat(asOf.path("fleet_version").asLong()).isEqualTo(1);
        assertThat(asOf.path("registry_version").isNull()).isTrue();
        assertThat(asOf.path("time").asText()).isEqualTo("2026-11-22T15:00:00.000Z");
    }

    @Test
    void listsNearestProvidersFirst() {
        Explained explained = Explained.of(hosts(4).view(), "resources=VCPU:1,MEMORY_MB:500&required=CUSTOM_A");
        // cn3 is a candidate; cn0 and cn1 lack one demand each, cn0 the one that is checked last; cn2 lacks both.
        assertThat(explained.json().path("providers").findValuesAsText("root")).containsExactly(
                uuidOf("cn0").toString(), uuidOf("cn1").toString(), uuidOf("cn2").toString());
    }

    @Test
    void returnsPartialExplanationOnTimeout() {
        var clockChecks = new AtomicInteger();
        Explained explained = Explained.of(
                hosts(200).view(), "resources=VCPU:16", CandidateOptions.DEFAULT, 10_000,
                () -> clockChecks.incrementAndGet() > 63);
        assertThat(explained.isComplete()).isFalse();
        assertThat(explained.json().path("roots").asInt()).isEqualTo(200);
        assertThat(explained.json().path("gaps").path(0).asText())
                .isEqualTo("time: only 63 of 200 trees were evaluated");
        assertThat(explained.json().path("demands").path(0).path("nearest").path("free").asInt()).isEqualTo(8);
        assertThat(explained.relaxations()).isEmpty();
    }

    @Test
    void canBeInterruptedAtAnyPoint() {
        var view = hosts(300).view();
        String query = "resources=VCPU:16,MEMORY_MB:5000&required=CUSTOM_B&limit=3";
        var clockChecks = new AtomicInteger();
        Explained.of(view, query, CandidateOptions.DEFAULT, 1_000_000, () -> clockChecks.incrementAndGet() < 0);
        assertThat(clockChecks.get()).isGreaterThan(300);
        for (int last = 0; last < clockChecks.get(); last += 7) {
            int end = last;
            var now = new AtomicInteger();
            Explained cut =
                    Explained.of(view, query, CandidateOptions.DEFAULT, 1_000_000, () -> now.incrementAndGet() > end);
            assertThat(cut.isComplete()).as("after %d checks of the clock", end).isFalse();
            assertThat(cut.json().path("gaps")).isNotEmpty();
        }
    }

    @Test
    void truncatesAnExplanationThatIsTooLarge() {
        Explained explained = Explained.of(
                hosts(300).view(), "resources=VCPU:16", CandidateOptions.DEFAULT, 5_000, () -> false);
        assertThat(explained.isComplete()).isFalse();
        assertThat(explained.json().path("providers").size()).isBetween(1, 20);
        assertThat(explained.json().path("gaps").path(0).asText()).isEqualTo(
                "providers: %d of 300 are listed".formatted(explained.json().path("providers").size()));
    }

    @Test
    void givesUpOnATreeWithTooManyCombinations() {
        // Ten groups fit any of 23 siblings; the two groups that can never share a subtree are tried last.
        var fleet = aFleet().root("cn");
        var query = new StringBuilder("group_policy=isolate&same_subtree=_0,_1");
        for (int i = 0; i < 24; i++) {
            fleet.child("pf" + i).inventory("CUSTOM_VF", 1);
            if (i > 0) {
                fleet.traits("CUSTOM_A");
            }
        }
        for (int i = 0; i < 12; i++) {
            query.append("&resources_").append(i).append("=CUSTOM_VF:1");
            if (i > 1) {
                query.append("&required_").append(i).append("=CUSTOM_A");
            }
        }
        Explained explained = Explained.of(fleet.view(), query.toString(), "cn");
        assertThat(explained.isComplete()).isFalse();
        assertThat(explained.json().path("gaps").path(0).asText())
                .isEqualTo("combinations: the search of 1 trees ended at a limit of steps, time or memory");
        assertThat(explained.json().path("providers").path(0).path("complete").asBoolean()).isFalse();
    }

    /** The choices need more memory than one search may use of a 1 GB heap. */
    @Test
    void givesUpOnATreeWithTooManyChoices() {
        var fleet = aFleet().root("cn");
        var query = new StringBuilder("group_policy=none");
        for (int i = 0; i < 3_000; i++) {
            fleet.child("pf" + i).inventory("CUSTOM_VF", 1);
            query.append("&resources_").append(i).append("=CUSTOM_VF:1");
        }
        fleet.root("other").inventory("CUSTOM_VF", 3_000);
        Explained explained = Explained.of(fleet.view(), query.toString(), "cn");
        assertThat(explained.json().path("candidates").asInt()).isEqualTo(1);
        assertThat(explained.json().path("gaps").path(0).asText())
                .isEqualTo("combinations: the search of 1 trees ended at a limit of steps, time or memory");
        assertThat(explained.json().path("providers").path(0).path("complete").asBoolean()).isFalse();
    }

    @Test
    void explainsAThousandTrees() {
        Explained explained = Explained.of(
                hosts(1_200).view(), "resources=VCPU:16", CandidateOptions.DEFAULT, 10_000_000, () -> false);
        assertThat(explained.json().path("providers")).hasSize(1_000);
        assertThat(explained.obstacles()).hasSize(1_000)
                .allMatch(line -> line.endsWith("resources=VCPU:16 capacity 16 8"));
        assertThat(explained.isComplete()).isTrue();
    }

    @Test
    void refusesUnknownClassesAndTraits() {
        assertThatThrownBy(() -> Explained.of(hosts(1).view(), "resources=CUSTOM_NOBODY:1"))
                .isInstanceOf(ApiException.class).hasMessageContaining("No such resource class CUSTOM_NOBODY.");
        assertThatThrownBy(() -> Explained.of(hosts(1).view(), "resources=VCPU:1&required=CUSTOM_NOBODY"))
                .isInstanceOf(ApiException.class).hasMessageContaining("No such trait(s): CUSTOM_NOBODY.");
    }
}
