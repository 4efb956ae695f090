package io.berth.placement.candidate.explanation;

import static io.berth.placement.candidate.search.FleetBuilder.aFleet;
import static io.berth.placement.candidate.search.FleetBuilder.uuidOf;
import static org.assertj.core.api.Assertions.assertThat;

import io.berth.placement.candidate.search.CandidateOptions;
import io.berth.placement.candidate.search.CandidateOptions.Strategy;
import io.berth.placement.candidate.search.FleetBuilder;
import io.berth.placement.candidate.search.FleetBuilder.Stock;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Tests the obstacles of one provider tree: each cause alone, pairs of causes, and none. A line has the provider, the
 * demand, the code, the wanted and the available value.
 */
class TreeObstaclesTest {
    private static final String ZONE = uuidOf("zone").toString();
    private static final String POOL = uuidOf("pool").toString();
    private static final String OTHER = uuidOf("other").toString();

    private static FleetBuilder host() {
        return aFleet().knowingTraits("CUSTOM_A", "CUSTOM_B").knowingClasses("PCPU").root("cn");
    }

    /**
     * A host with 64 VCPU (16 cores, ratio 4), 10 of them used, min_unit 2 and max_unit 32, and 2 GiB in steps of 64.
     */
    private static FleetBuilder usual() {
        return host()
                .inventory("VCPU", new Stock(16, 0, 2, 32, 1, 4.0, 10))
                .inventory("MEMORY_MB", new Stock(2560, 512, 64, 2048, 64, 1.0, 0))
                .traits("CUSTOM_A")
                .in("zone");
    }

    private static FleetBuilder devices() {
        return host().inventory("VCPU", 8)
                .child("numa0").under("numa0").child("pf0").inventory("CUSTOM_VF", 4).traits("CUSTOM_RED")
                .under("cn").child("numa1").under("numa1").child("pf1").inventory("CUSTOM_VF", 4)
                .traits("CUSTOM_BLUE");
    }

    static Stream<Arguments> causes() {
        return Stream.of(
                cause("none", usual(), "resources=VCPU:4,MEMORY_MB:64&required=CUSTOM_A&member_of=" + ZONE),
                cause("capacity", usual(), "resources=MEMORY_MB:2112", "resources=MEMORY_MB:2112 capacity 2112 2048",
                        "resources=MEMORY_MB:2112 max_unit 2112 2048"),
                cause("capacity that is used", host().used("VCPU", 8, 6), "resources=VCPU:4",
                        "resources=VCPU:4 capacity 4 2"),
                cause("capacity that is reserved", host().inventory("VCPU", new Stock(8, 8, 1, 8, 1, 1.0, 0)),
                        "resources=VCPU:1", "resources=VCPU:1 capacity 1 0"),
                cause("overcommitted", host().inventory("VCPU", new Stock(8, 0, 1, 8, 1, 1.0, 10)), "resources=VCPU:1",
                        "resources=VCPU:1 capacity 1 -2"),
                cause("max_unit", usual(), "resources=VCPU:40", "resources=VCPU:40 max_unit 40 32"),
                cause("min_unit", usual(), "resources=VCPU:1", "resources=VCPU:1 min_unit 1 2"),
                cause("step_size", usual(), "resources=MEMORY_MB:100", "resources=MEMORY_MB:100 step_size 100 64"),
                cause("min_unit and step_size", usual(), "resources=MEMORY_MB:1", "resources=MEMORY_MB:1 min_unit 1 64",
                        "resources=MEMORY_MB:1 step_size 1 64"),
                cause("all of an inventory but min_unit", usual(), "resources=MEMORY_MB:9999",
                        "resources=MEMORY_MB:9999 capacity 9999 2048", "resources=MEMORY_MB:9999 max_unit 9999 2048",
                        "resources=MEMORY_MB:9999 step_size 9999 64"),
                cause("no_inventory", usual(), "resources=PCPU:1", "resources=PCPU:1 no_inventory 1 0"),
                cause("a class of two on nobody", usual(), "resources=PCPU:1,VCPU:4",
                        "resources=PCPU:1 no_inventory 1 0"),
                cause("trait_missing", usual(), "resources=VCPU:4&required=CUSTOM_B",
                        "required=CUSTOM_B trait_missing [CUSTOM_B] [CUSTOM_A]"),
                cause("any trait missing", host().inventory("VCPU", 4),
                        "resources=VCPU:4&required=in:CUSTOM_B,CUSTOM_A",
                        "required=in:CUSTOM_A,CUSTOM_B trait_missing [CUSTOM_A, CUSTOM_B] []"),
                cause("trait_forbidden", usual(), "resources=VCPU:4&required=!CUSTOM_A",
                        "required=!CUSTOM_A trait_forbidden [!CUSTOM_A] [CUSTOM_A]"),
                cause("not_in_aggregate", usual(), "resources=VCPU:4&member_of=" + OTHER,
                        "member_of=in:" + OTHER + " not_in_aggregate [" + OTHER + "] [" + ZONE + "]"),
                cause("not_in_aggregate of who shares",
                        aFleet().root("cn").inventory("VCPU", 8).in("zone", "pool")
                                .root("nfs").inventory("DISK_GB", 100).sharing("pool"),
                        "resources=VCPU:4,DISK_GB:5&member_of=" + ZONE,
                        "/nfs: member_of=in:" + ZONE + " not_in_aggregate [" + ZONE + "] [" + POOL + "]"),
                cause("in_forbidden_aggregate", usual(), "resources=VCPU:4&member_of=!" + ZONE,
                        "member_of=!in:" + ZONE + " in_forbidden_aggregate [!" + ZONE + "] [" + ZONE + "]"),
                cause("not_in_tree of another", usual().root("x"), "resources=VCPU:4&in_tree=" + uuidOf("x"),
                        "in_tree=" + uuidOf("x") + " not_in_tree [" + uuidOf("x") + "] [" + uuidOf("cn") + "]"),
                cause("not_in_tree of nobody", usual(), "resources=VCPU:4&in_tree=" + uuidOf("nobody"),
                        "in_tree=" + uuidOf("nobody") + " not_in_tree [" + uuidOf("nobody") + "] [" + uuidOf("cn")
                                + "]"),
                cause("root_required", usual(), "resources=VCPU:4&root_required=CUSTOM_B",
                        "root_required=CUSTOM_B root_required [CUSTOM_B] [CUSTOM_A]"),
                cause("a forbidden trait of the root", usual(), "resources=VCPU:4&root_required=!CUSTOM_A",
                        "root_required=!CUSTOM_A root_required [!CUSTOM_A] [CUSTOM_A]"),
                cause("no_sharing_provider", usual().root("nfs").inventory("DISK_GB", 100).sharing("pool"),
                        "resources=VCPU:4,DISK_GB:10",
                        "resources=DISK_GB:10 no_sharing_provider [" + POOL + "] [" + ZONE + "]"),
                cause("a sharing provider that is full",
                        usual().in("pool").root("nfs").used("DISK_GB", 100, 95).sharing("pool"),
                        "resources=VCPU:4,DISK_GB:10", "/nfs: resources=DISK_GB:10 capacity 10 5"),
                cause("a taken device, not its trait",
                        host().inventory("VCPU", 8).child("taken").used("CUSTOM_VF", 1, 1).traits("CUSTOM_BLUE")
                                .child("free").inventory("CUSTOM_VF", 1).traits("CUSTOM_RED"),
                        "resources=VCPU:1&resources_d=CUSTOM_VF:1&required_d=CUSTOM_BLUE",
                        "/taken: resources_d=CUSTOM_VF:1 capacity 1 0"),
                cause("a trait that no device has", devices(),
                        "resources=VCPU:1&resources_d=CUSTOM_VF:1&required_d=CUSTOM_A",
                        "required_d=CUSTOM_A trait_missing [CUSTOM_A] [CUSTOM_BLUE, CUSTOM_RED]"),
                cause("classes of one group on different providers", devices(), "resources_d=VCPU:1,CUSTOM_VF:1",
                        "resources_d=CUSTOM_VF:1 no_inventory 1 0"),
                cause("same_subtree", devices(),
                        "resources_a=CUSTOM_VF:1&required_a=CUSTOM_RED&resources_b=CUSTOM_VF:1&required_b=CUSTOM_BLUE"
                                + "&same_subtree=_a,_b&group_policy=none",
                        "same_subtree=_a,_b same_subtree [_a, _b] [_a=pf0, _b=pf1]"),
                cause("isolated_groups_collide", devices(),
                        "resources_a=CUSTOM_VF:1&required_a=CUSTOM_RED&resources_b=CUSTOM_VF:1&required_b=CUSTOM_RED"
                                + "&group_policy=isolate",
                        "group_policy=isolate isolated_groups_collide 2 1"),
                cause("three groups on two", devices(),
                        "resources_a=CUSTOM_VF:1&resources_b=CUSTOM_VF:1&resources_c=CUSTOM_VF:1&group_policy=isolate",
                        "group_policy=isolate isolated_groups_collide 3 2"),
                cause("groups that fit but for their sum", host().inventory("VCPU", 6),
                        "resources=VCPU:4&resources_a=VCPU:4", "resources_a=VCPU:4 capacity 8 6"),
                cause("groups that fit but for max_unit", host().inventory("VCPU", new Stock(16, 0, 1, 6, 1, 1.0, 0)),
                        "resources=VCPU:4&resources_a=VCPU:4", "resources_a=VCPU:4 max_unit 8 6"),
                cause("traits that no choice has together",
                        host().child("p").inventory("CUSTOM_VF", 1).traits("CUSTOM_A")
                                .child("q").inventory("CUSTOM_VF", 1).traits("CUSTOM_B"),
                        "resources=CUSTOM_VF:1&required=CUSTOM_A&required=CUSTOM_B",
                        "required=CUSTOM_A trait_missing [CUSTOM_A] [CUSTOM_A, CUSTOM_B]",
                        "required=CUSTOM_B trait_missing [CUSTOM_B] [CUSTOM_A, CUSTOM_B]"),
                cause("the trait stands with a full one",
                        host().child("p").used("CUSTOM_VF", 1, 1).traits("CUSTOM_A").child("q")
                                .inventory("CUSTOM_VF", 1),
                        "resources=CUSTOM_VF:1&required=CUSTOM_A", "/p: resources=CUSTOM_VF:1 capacity 1 0"),
                cause("a trait that comes with what is full",
                        host().inventory("VCPU", 4).child("p").used("CUSTOM_VF", 1, 1).traits("CUSTOM_A"),
                        "resources=VCPU:1,CUSTOM_VF:1&required=CUSTOM_A", "/p: resources=CUSTOM_VF:1 capacity 1 0"),
                // Pairs: both are listed, in the order in which placement checks them.
                cause("capacity and trait_missing", usual(), "resources=VCPU:60&required=CUSTOM_B",
                        "required=CUSTOM_B trait_missing [CUSTOM_B] [CUSTOM_A]",
                        "resources=VCPU:60 capacity 60 54", "resources=VCPU:60 max_unit 60 32"),
                cause("two amounts", usual(), "resources=VCPU:40,MEMORY_MB:100", "resources=VCPU:40 max_unit 40 32",
                        "resources=MEMORY_MB:100 step_size 100 64"),
                cause("aggregate and trait_forbidden", usual(),
                        "resources=VCPU:4&required=!CUSTOM_A&member_of=" + OTHER,
                        "member_of=in:" + OTHER + " not_in_aggregate [" + OTHER + "] [" + ZONE + "]",
                        "required=!CUSTOM_A trait_forbidden [!CUSTOM_A] [CUSTOM_A]"),
                cause("root and capacity", usual(), "resources=VCPU:1&root_required=!CUSTOM_A",
                        "root_required=!CUSTOM_A root_required [!CUSTOM_A] [CUSTOM_A]",
                        "resources=VCPU:1 min_unit 1 2"),
                cause("no_inventory and in_tree", usual(), "resources=PCPU:1&in_tree=" + uuidOf("nobody"),
                        "resources=PCPU:1 no_inventory 1 0",
                        "in_tree=" + uuidOf("nobody") + " not_in_tree [" + uuidOf("nobody") + "] [" + uuidOf("cn")
                                + "]"),
                cause("isolation and a full root", devices(),
                        "resources=VCPU:9&resources_a=CUSTOM_VF:1&required_a=CUSTOM_RED&resources_b=CUSTOM_VF:1"
                                + "&required_b=CUSTOM_RED&group_policy=isolate",
                        "resources=VCPU:9 capacity 9 8", "group_policy=isolate isolated_groups_collide 2 1"),
                cause("isolation and same_subtree", devices(),
                        "resources_a=CUSTOM_VF:1&required_a=CUSTOM_RED&resources_b=CUSTOM_VF:1&required_b=CUSTOM_RED"
                                + "&resources_c=CUSTOM_VF:1&required_c=CUSTOM_BLUE&same_subtree=_a,_c&group_policy=isolate",
                        "same_subtree=_a,_c same_subtree [_a, _c] [_a=pf0, _c=pf1]",
                        "group_policy=isolate isolated_groups_collide 2 1"));
    }

    /** @param expected obstacles of {@code cn}; a line of another provider begins with {@code /} and its name */
    private static Arguments cause(String name, FleetBuilder fleet, String query, String... expected) {
        return Arguments.of(name, fleet, query, expected);
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("causes")
    void namesEveryObstacleOfATree(String name, FleetBuilder fleet, String query, String[] expected) {
        Explained explained = Explained.of(fleet.view(), query, "cn");
        assertThat(explained.obstacles()).containsExactlyInAnyOrder(
                Stream.of(expected).map(line -> line.startsWith("/") ? "cn" + line : "cn: " + line)
                        .toArray(String[]::new));
        assertThat(explained.isComplete()).isTrue();
    }

    @Test
    void reportsCandidatesCutByALimit() {
        var fleet = aFleet();
        for (int i = 0; i < 5; i++) {
            fleet.root("cn" + i).inventory("VCPU", 8);
        }
        Explained explained = Explained.of(fleet.view(), "resources=VCPU:1&limit=2");
        assertThat(explained.json().path("candidates").asInt()).isEqualTo(5);
        assertThat(explained.json().path("answered").asInt()).isEqualTo(2);
        assertThat(explained.obstacles()).containsExactly(
                "cn2: limit=2 cut_by_limit 2 5", "cn3: limit=2 cut_by_limit 2 5", "cn4: limit=2 cut_by_limit 2 5");
        var atMostOne = new CandidateOptions(false, 1, Strategy.DEPTH_FIRST);
        assertThat(Explained.of(fleet.view(), "resources=VCPU:1&limit=2", atMostOne, 10_000, () -> false, "cn0", "cn1")
                .obstacles()).containsExactly("cn1: max_allocation_candidates=1 cut_by_limit 1 5");
    }

    @Test
    void rendersEachObstacleAsOneLineOfText() {
        var text = Explained.of(usual().view(), "resources=VCPU:60", "cn").json().path("providers").path(0)
                .path("obstacles").findValuesAsText("text");
        assertThat(text).containsExactly(
                "resources=VCPU:60: cn: 54 VCPU free, 60 are wanted",
                "resources=VCPU:60: cn: at most 32 VCPU at a time, 60 are wanted");
    }

    @Test
    void explainsTheTreeOfAnyRequestedProvider() {
        assertThat(Explained.of(devices().view(), "resources=VCPU:9", "pf1", "numa0").obstacles())
                .containsExactly("cn: resources=VCPU:9 capacity 9 8");
    }
}
