package io.berth.placement.candidate.search;

import static io.berth.placement.candidate.search.FleetBuilder.aFleet;
import static io.berth.placement.candidate.search.FleetBuilder.uuidOf;
import static org.assertj.core.api.Assertions.assertThat;

import io.berth.placement.candidate.query.CandidateQueryParser;
import io.berth.placement.candidate.query.QueryText;
import io.berth.placement.candidate.response.Found;
import io.berth.placement.candidate.search.CandidateOptions.Strategy;
import io.berth.placement.candidate.search.FleetBuilder.Stock;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Tests which candidates a search returns, and in which order. */
class CandidateSearchTest {
    private static List<String> candidates(FleetBuilder fleet, String query) {
        return Found.ask(fleet.view(), query, "1.39").candidates();
    }

    @Test
    void usesAProviderThatHasAllAmounts() {
        var fleet = aFleet().root("cn1").inventory("VCPU", 8).inventory("MEMORY_MB", 100)
                .root("cn2").inventory("VCPU", 8)
                .root("cn3").inventory("VCPU", 1).inventory("MEMORY_MB", 100);
        assertThat(candidates(fleet, "resources=VCPU:2,MEMORY_MB:50"))
                .containsExactly("cn1 MEMORY_MB:50 VCPU:2 | =cn1");
    }

    @ParameterizedTest(name = "{0}")
    @CsvSource({
        "fits exactly,                  6, true",
        "passes the capacity by one,    7, false",
        "is below min_unit,             1, false",
        "is no multiple of step_size,   3, false",
        "is above max_unit,             8, false"})
    void checksAnAmountAgainstTheInventory(String name, int amount, boolean found) {
        // The capacity is (10 - 2) * 1.25 = 10, of which 4 are used.
        var fleet = aFleet().root("cn").inventory("VCPU", new Stock(10, 2, 2, 7, 2, 1.25, 4));
        assertThat(candidates(fleet, "resources=VCPU:" + amount)).hasSize(found ? 1 : 0);
    }

    @Test
    void checksAgainstFractionalCapacityAndReturnsItTruncated() {
        // 3 * 1.5 = 4.5
        var fleet = aFleet().root("cn").inventory("VCPU", new Stock(3, 0, 1, 100, 1, 1.5, 2));
        var found = Found.ask(fleet.view(), "resources=VCPU:2", "1.39");
        assertThat(found.candidates()).hasSize(1);
        assertThat(found.json().at("/provider_summaries/" + uuidOf("cn") + "/resources/VCPU/capacity").asInt())
                .isEqualTo(4);
        assertThat(candidates(fleet, "resources=VCPU:3")).isEmpty();
    }

    @Test
    void returnsNoCandidateForAnAmountAboveAnyInventory() {
        var fleet = aFleet().root("cn").inventory("VCPU", Integer.MAX_VALUE);
        assertThat(candidates(fleet, "resources=VCPU:2147483647")).hasSize(1);
        assertThat(candidates(fleet, "resources=VCPU:2147483648")).isEmpty();
        assertThat(candidates(fleet, "resources=VCPU:99999999999999999999999999")).isEmpty();
    }

    @Test
    void spreadsTheUnsuffixedGroupOverATreeAndOverSharingProviders() {
        var fleet = aFleet().root("cn").in("rack").inventory("MEMORY_MB", 100)
                .child("numa0").inventory("VCPU", 2)
                .child("numa1").inventory("VCPU", 2)
                .root("nfs").sharing("rack").inventory("DISK_GB", 1000)
                .root("far").sharing("elsewhere").inventory("DISK_GB", 1000);
        assertThat(candidates(fleet, "resources=VCPU:1,MEMORY_MB:10,DISK_GB:5")).containsExactly(
                "cn MEMORY_MB:10, nfs DISK_GB:5, numa0 VCPU:1 | =cn+nfs+numa0",
                "cn MEMORY_MB:10, nfs DISK_GB:5, numa1 VCPU:1 | =cn+nfs+numa1");
    }

    @Test
    void summarizesTheWholeTreesOfTheProvidersUsed() {
        var fleet = aFleet().root("cn").in("rack").inventory("VCPU", 1).child("pf")
                .root("idle").inventory("VCPU", 0)
                .root("nfs").sharing("rack").inventory("DISK_GB", 1000).child("shelf");
        var found = Found.ask(fleet.view(), "resources=VCPU:1,DISK_GB:5", "1.29");
        assertThat(found.summarised()).containsExactly("cn", "nfs", "pf", "shelf");
    }

    @Test
    void returnsACandidateOfSharingProvidersOnlyOnce() {
        var fleet = aFleet().root("cn1").in("rack").root("cn2").in("rack").root("nfs").sharing("rack")
                .inventory("DISK_GB", 10);
        assertThat(candidates(fleet, "resources=DISK_GB:5")).containsExactly("nfs DISK_GB:5 | =nfs");
    }

    @Test
    void matchesRequiredTraitsAcrossTheProvidersOfTheGroup() {
        var fleet = aFleet().root("cn").traits("ON_ROOT")
                .child("numa0").inventory("VCPU", 2).traits("FAST")
                .child("numa1").inventory("VCPU", 2)
                .child("pf").inventory("CUSTOM_VF", 8).traits("PUBLIC");
        assertThat(candidates(fleet, "resources=VCPU:1,CUSTOM_VF:1&required=FAST,PUBLIC"))
                .containsExactly("numa0 VCPU:1, pf CUSTOM_VF:1 | =numa0+pf");
        assertThat(candidates(fleet, "resources=VCPU:1,CUSTOM_VF:1&required=in:FAST,PUBLIC")).hasSize(2);
        // The root provides nothing, so its traits do not count.
        assertThat(candidates(fleet, "resources=VCPU:1,CUSTOM_VF:1&required=ON_ROOT")).isEmpty();
        assertThat(candidates(fleet, "resources=VCPU:1,CUSTOM_VF:1&required=!FAST"))
                .containsExactly("numa1 VCPU:1, pf CUSTOM_VF:1 | =numa1+pf");
        assertThat(candidates(fleet, "resources=VCPU:1&root_required=ON_ROOT,!FAST")).hasSize(2);
        assertThat(candidates(fleet, "resources=VCPU:1&root_required=FAST")).isEmpty();
    }

    @Test
    void servesASuffixedGroupFromOneProviderThatHasAllTraits() {
        var fleet = aFleet().root("cn").inventory("VCPU", 2).traits("FAST")
                .child("pf").inventory("CUSTOM_VF", 8).traits("PUBLIC");
        assertThat(candidates(fleet, "resources1=VCPU:1,CUSTOM_VF:1")).isEmpty();
        assertThat(candidates(fleet, "resources1=CUSTOM_VF:1&required1=PUBLIC,FAST")).isEmpty();
        assertThat(candidates(fleet, "resources1=CUSTOM_VF:1&required1=PUBLIC"))
                .containsExactly("pf CUSTOM_VF:1 | 1=pf");
    }

    @Test
    void isolatesSuffixedGroupsOrAddsThemUp() {
        var fleet = aFleet().root("cn").child("pf0").inventory("CUSTOM_VF", 2).child("pf1").inventory("CUSTOM_VF", 1);
        String groups = "resources1=CUSTOM_VF:1&resources2=CUSTOM_VF:1";
        assertThat(candidates(fleet, groups + "&group_policy=isolate")).containsExactly(
                "pf0 CUSTOM_VF:1, pf1 CUSTOM_VF:1 | 1=pf0 2=pf1", "pf0 CUSTOM_VF:1, pf1 CUSTOM_VF:1 | 1=pf1 2=pf0");
        assertThat(candidates(fleet, groups + "&group_policy=none")).containsExactly(
                "pf0 CUSTOM_VF:1, pf1 CUSTOM_VF:1 | 1=pf0 2=pf1", "pf0 CUSTOM_VF:1, pf1 CUSTOM_VF:1 | 1=pf1 2=pf0",
                "pf0 CUSTOM_VF:2 | 1=pf0 2=pf0");
    }

    @Test
    void addsUpAmountsOfUnsuffixedAndSuffixedGroupsOnAProvider() {
        var fleet = aFleet().root("cn").inventory("VCPU", new Stock(10, 0, 1, 4, 1, 1, 0));
        assertThat(candidates(fleet, "resources=VCPU:2&resources1=VCPU:2")).containsExactly("cn VCPU:4 | 1=cn =cn");
        // Each amount fits, but the sum exceeds max_unit.
        assertThat(candidates(fleet, "resources=VCPU:2&resources1=VCPU:3")).isEmpty();
    }

    @Test
    void keepsGroupsOfASameSubtreeBelowOneOfTheirProviders() {
        var fleet = aFleet().root("cn").child("numa0").traits("NUMA").under()
                .child("cores0").inventory("VCPU", 4).child("pf0").inventory("CUSTOM_VF", 4)
                .under("cn").child("numa1").traits("NUMA").under()
                .child("cores1").inventory("VCPU", 4).child("pf1").inventory("CUSTOM_VF", 4);
        String groups = "resources_C=VCPU:1&resources_N=CUSTOM_VF:1&required_NUMA=NUMA&group_policy=none";
        assertThat(candidates(fleet, groups + "&same_subtree=_C,_N,_NUMA")).containsExactly(
                "cores0 VCPU:1, pf0 CUSTOM_VF:1 | _C=cores0 _N=pf0 _NUMA=numa0",
                "cores1 VCPU:1, pf1 CUSTOM_VF:1 | _C=cores1 _N=pf1 _NUMA=numa1");
        assertThat(candidates(fleet, groups + "&same_subtree=_C,_NUMA")).hasSize(4);
        // Neither cores nor network card is above the other.
        assertThat(candidates(fleet, "resources_C=VCPU:1&resources_N=CUSTOM_VF:1&group_policy=none&same_subtree=_C,_N"))
                .isEmpty();
    }

    @Test
    void appliesTheRootsAggregatesToTheUnsuffixedGroupOnly() {
        var fleet = aFleet().root("cn1").in("zone").child("numa0").inventory("VCPU", 4)
                .root("cn2").child("numa1").inventory("VCPU", 4).in("zone");
        String zone = uuidOf("zone").toString();
        assertThat(candidates(fleet, "resources=VCPU:1&member_of=" + zone))
                .containsExactly("numa0 VCPU:1 | =numa0", "numa1 VCPU:1 | =numa1");
        assertThat(candidates(fleet, "resources1=VCPU:1&member_of1=" + zone)).containsExactly("numa1 VCPU:1 | 1=numa1");
        assertThat(candidates(fleet, "resources=VCPU:1&member_of=!" + zone)).isEmpty();
        assertThat(candidates(fleet, "resources1=VCPU:1&member_of1=!" + zone))
                .containsExactly("numa0 VCPU:1 | 1=numa0");
    }

    @Test
    void restrictsInTreeToTheTreeOfTheNamedProvider() {
        var fleet = aFleet().root("cn1").child("numa0").inventory("VCPU", 4).child("numa1").inventory("VCPU", 4)
                .root("cn2").inventory("VCPU", 4);
        assertThat(candidates(fleet, "resources=VCPU:1&in_tree=" + uuidOf("numa1"))).hasSize(2);
        assertThat(candidates(fleet, "resources1=VCPU:1&in_tree1=" + uuidOf("cn2")))
                .containsExactly("cn2 VCPU:1 | 1=cn2");
        assertThat(candidates(fleet, "resources=VCPU:1&in_tree=" + uuidOf("nobody"))).isEmpty();
    }

    @Test
    void usesOneProviderOfATreeBefore1Dot29() {
        var fleet = aFleet().root("cn").in("rack").inventory("VCPU", 4).inventory("DISK_GB", 4)
                .child("numa0").inventory("VCPU", 4)
                .root("nfs").sharing("rack").inventory("DISK_GB", 10);
        var found = Found.ask(fleet.view(), "resources=VCPU:1,DISK_GB:1", "1.28");
        assertThat(found.candidates())
                .containsExactly("cn DISK_GB:1 VCPU:1", "cn VCPU:1, nfs DISK_GB:1", "nfs DISK_GB:1, numa0 VCPU:1");
        assertThat(Found.ask(fleet.view(), "resources=VCPU:1,DISK_GB:1", "1.29").candidates()).hasSize(4);
        var onlyRoot = aFleet().root("cn").inventory("VCPU", 4).child("numa0");
        assertThat(Found.ask(onlyRoot.view(), "resources=VCPU:1", "1.28").summarised()).containsExactly("cn");
    }

    @ParameterizedTest(name = "{0} limit {1} of at most {2}: {3}")
    @CsvSource({
        "BREADTH_FIRST, 2, -1, wide plain",
        "DEPTH_FIRST,   2, -1, wide wide",
        "BREADTH_FIRST, 4, -1, wide plain wide wide",
        "BREADTH_FIRST, 9,  3, wide plain wide",
        "DEPTH_FIRST,   9,  3, wide wide wide"})
    void ordersAndLimitsCandidatesByStrategy(Strategy strategy, int limit, int max, String expected) {
        var fleet = aFleet().root("wide").child("w1").inventory("VCPU", 1).child("w2").inventory("VCPU", 1).child("w3")
                .inventory("VCPU", 1)
                .root("plain").inventory("VCPU", 1);
        var view = fleet.view();
        var found =
                Found.ask(view, "resources=VCPU:1&limit=" + limit, "1.36", new CandidateOptions(false, max, strategy));
        var roots = new StringBuilder();
        found.json().get("allocation_requests").forEach(request -> request.get("mappings").get("").forEach(
                uuid -> roots.append(' ')
                        .append(view.find(view.find(java.util.UUID.fromString(uuid.asText())).rootId()).name())));
        assertThat(roots.toString().strip()).isEqualTo(expected);
    }

    @Test
    void startsWithAnyTreeInRandomOrder() {
        var fleet = aFleet();
        for (int i = 0; i < 50; i++) {
            fleet.root("cn" + i).inventory("VCPU", 1);
        }
        var view = fleet.view();
        var query = CandidateQueryParser.parse(
                QueryText.parameters("resources=VCPU:1&limit=1"), io.berth.model.Microversion.MAX);
        var resolved = ResolvedQuery.of(view, query);
        var firsts = new java.util.HashSet<String>();
        for (long seed = 0; seed < 1_000; seed++) {
            new CandidateSearch(
                    view, resolved, new CandidateOptions(true, -1, Strategy.BREADTH_FIRST), new java.util.Random(seed),
                    (anchor, providers) -> firsts.add(anchor.root().name()))
                    .run(1_000);
        }
        assertThat(firsts).hasSize(50);
    }

    @Test
    void resumesAfterTheStepBudgetIsSpent() {
        var fleet = aFleet();
        for (int tree = 0; tree < 20; tree++) {
            fleet.root("cn" + tree);
            for (int child = 0; child < 5; child++) {
                fleet.child("cn" + tree + "_" + child).inventory("VCPU", 1).inventory("MEMORY_MB", 1);
            }
        }
        var view = fleet.view();
        var query = CandidateQueryParser.parse(
                QueryText.parameters("resources=VCPU:1,MEMORY_MB:1"), io.berth.model.Microversion.MAX);
        var resolved = ResolvedQuery.of(view, query);
        var found = new java.util.ArrayList<String>();
        var search = new CandidateSearch(
                view, resolved, CandidateOptions.DEFAULT, null,
                (anchor, providers) -> found.add(providers[0].name() + providers[1].name()));
        int slices = 1;
        while (search.run(7) == CandidateSearch.Progress.PAUSED) {
            slices++;
        }
        assertThat(slices).isGreaterThan(500);
        assertThat(found).hasSize(20 * 25).doesNotHaveDuplicates();
    }

    @Test
    void detectsQuicklyThatGroupsDoNotFitTogether() {
        // 12 isolated groups on 11 providers; 24 groups of 2 on 16 providers with room for 2: trying every order would
        // take days.
        var isolated = aFleet().root("cn");
        var manyGroups = new StringBuilder("group_policy=isolate");
        for (int i = 0; i < 11; i++) {
            isolated.child("pf" + i).inventory("CUSTOM_VF", 100);
        }
        for (int i = 1; i <= 12; i++) {
            manyGroups.append("&resources").append(i).append("=CUSTOM_VF:1");
        }
        assertThat(candidates(isolated, manyGroups.toString())).isEmpty();
        var full = aFleet().root("cn");
        var manyPairs = new StringBuilder("group_policy=none");
        for (int i = 0; i < 16; i++) {
            full.child("pf" + i).inventory("CUSTOM_VF", 2);
        }
        for (int i = 1; i <= 24; i++) {
            manyPairs.append("&resources").append(i).append("=CUSTOM_VF:2");
        }
        assertThat(candidates(full, manyPairs.toString())).isEmpty();
    }
}
