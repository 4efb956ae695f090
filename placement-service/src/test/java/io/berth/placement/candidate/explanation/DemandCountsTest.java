package io.berth.placement.candidate.explanation;

import static io.berth.placement.candidate.search.FleetBuilder.aFleet;
import static io.berth.placement.candidate.search.FleetBuilder.uuidOf;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.berth.placement.candidate.search.FleetBuilder;
import io.berth.placement.candidate.search.FleetBuilder.Stock;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/**
 * Tests the counts per demand in an explanation. A line has the demand, the number of trees that are suitable for it
 * (for an amount: that also meet every demand that is no amount), the number of trees left after it, the obstacle, and
 * the nearest tree.
 */
class DemandCountsTest {
    private static JsonNode explained(FleetBuilder fleet, String query) {
        return Explained.of(fleet.view(), query).json();
    }

    private static List<String> lines(JsonNode explained) {
        List<String> lines = new ArrayList<>();
        for (JsonNode demand : explained.path("demands")) {
            lines.add(demand.path("demand").asText() + " " + demand.path("suitable") + " "
                    + demand.path("after_all_before")
                    + (demand.hasNonNull("obstacle")
                            ? " " + demand.path("obstacle").asText() + " "
                                    + demand.path("nearest").path("name").asText()
                            : ""));
        }
        return lines;
    }

    @Test
    void countsEachDemandAloneAndAfterThePrecedingOnes() {
        FleetBuilder fleet = aFleet().knowingTraits("CUSTOM_A", "COMPUTE_STATUS_DISABLED")
                .root("a").inventory("VCPU", 8).inventory("MEMORY_MB", 100).traits("CUSTOM_A")
                .root("b").used("VCPU", 8, 5).inventory("MEMORY_MB", 900).traits("CUSTOM_A")
                .root("c").inventory("VCPU", 64).inventory("MEMORY_MB", 900)
                .root("d").inventory("VCPU", 64).inventory("MEMORY_MB", 900)
                .traits("CUSTOM_A", "COMPUTE_STATUS_DISABLED");
        JsonNode explained = explained(
                fleet, "resources=VCPU:4,MEMORY_MB:500&required=CUSTOM_A&root_required=!COMPUTE_STATUS_DISABLED");
        assertThat(explained.path("roots").asInt()).isEqualTo(4);
        assertThat(lines(explained)).containsExactly(
                "required=CUSTOM_A 3 3",
                "root_required=!COMPUTE_STATUS_DISABLED 3 2",
                "resources=VCPU:4 1 1",
                "resources=MEMORY_MB:500 1 0 capacity a");
        assertThat(explained.path("demands").findValuesAsText("alone")).as("each demand alone")
                .containsExactly("3", "3", "3", "3");
        assertThat(explained.path("demands").path(1).path("removed").findValuesAsText("name")).containsExactly("d");
    }

    @Test
    void namesTheNearestOfTheSuitableTrees() {
        FleetBuilder fleet = aFleet()
                .root("a").inventory("VCPU", 8).inventory("MEMORY_MB", 100).traits("CUSTOM_A")
                .root("large").inventory("VCPU", 640).inventory("MEMORY_MB", 9000);
        assertThat(lines(explained(fleet, "resources=MEMORY_MB:200,VCPU:16&required=CUSTOM_A"))).containsExactly(
                "required=CUSTOM_A 1 1", "resources=MEMORY_MB:200 0 0 capacity a", "resources=VCPU:16 0 0 capacity a");
    }

    @Test
    void reportsEveryAmountThatNoTreeCanProvide() {
        FleetBuilder fleet = aFleet()
                .root("a").inventory("VCPU", 8).inventory("MEMORY_MB", 100)
                .root("b").inventory("VCPU", 4).inventory("MEMORY_MB", 900);
        assertThat(lines(explained(fleet, "resources=VCPU:16,MEMORY_MB:1000"))).containsExactly(
                "resources=VCPU:16 0 0 capacity a",
                "resources=MEMORY_MB:1000 0 0 capacity b");
        assertThat(lines(explained(aFleet().root("n").used("CUSTOM_IRON", 1, 1), "resources=CUSTOM_IRON:1")))
                .containsExactly("resources=CUSTOM_IRON:1 0 0 capacity n");
    }

    @Test
    void reportsATakenDeviceAsCapacityObstacleNotAsTrait() {
        FleetBuilder fleet = aFleet().root("a").inventory("VCPU", 8)
                .child("taken").used("CUSTOM_PCI", 1, 1).traits("CUSTOM_BLUE")
                .child("free").inventory("CUSTOM_PCI", 1).traits("CUSTOM_RED");
        assertThat(lines(explained(fleet, "resources=VCPU:1&resources_d=CUSTOM_PCI:1&required_d=CUSTOM_BLUE")))
                .containsExactly(
                        "required_d=CUSTOM_BLUE 1 1", "resources=VCPU:1 1 1",
                        "resources_d=CUSTOM_PCI:1 0 0 capacity taken");
        assertThat(
                lines(explained(
                        fleet.knowingTraits("CUSTOM_NONE"),
                        "resources=VCPU:1&resources_d=CUSTOM_PCI:1&required_d=CUSTOM_NONE")))
                .contains("required_d=CUSTOM_NONE 0 0");
    }

    /** The child lacks the forbidden trait, but it has no memory: the root would have to be used. */
    @Test
    void appliesAForbiddenTraitToProvidersThatWouldBeUsed() {
        FleetBuilder fleet =
                aFleet().root("a").inventory("MEMORY_MB", 512).traits("CUSTOM_SLOW").child("cell").inventory("VCPU", 8);
        assertThat(lines(explained(fleet, "resources=VCPU:1,MEMORY_MB:64&required=!CUSTOM_SLOW")))
                .contains("required=!CUSTOM_SLOW 1 0");
    }

    @Test
    void roundsCapacityLikeTheProviderSummaries() {
        FleetBuilder fleet = aFleet().root("a").inventory("VCPU", new Stock(1, 2, 1, 16, 1, 1.5, 0));
        JsonNode nearest = explained(fleet, "resources=VCPU:1").path("demands").path(0).path("nearest");
        assertThat(nearest.path("capacity").asLong()).as("capacity of -1.5").isEqualTo(-1);
        assertThat(nearest.path("free").asLong()).isEqualTo(-1);
    }

    @Test
    void namesTheUnitConstraintThatAnAmountViolates() {
        FleetBuilder fleet = aFleet().knowingClasses("PCPU")
                .root("a")
                .inventory("VCPU", new Stock(16, 0, 1, 16, 1, 4.0, 0))
                .inventory("MEMORY_MB", new Stock(1000, 0, 64, 1000, 64, 1.0, 0));
        assertThat(lines(explained(fleet, "resources=VCPU:32"))).containsExactly("resources=VCPU:32 0 0 max_unit a");
        assertThat(lines(explained(fleet, "resources=MEMORY_MB:32")))
                .containsExactly("resources=MEMORY_MB:32 0 0 min_unit a");
        assertThat(lines(explained(fleet, "resources=MEMORY_MB:100")))
                .containsExactly("resources=MEMORY_MB:100 0 0 step_size a");
        assertThat(lines(explained(fleet, "resources=PCPU:1"))).containsExactly("resources=PCPU:1 0 0 no_inventory ");
    }

    @Test
    void countsAggregatesTreesAndSharingProviders() {
        FleetBuilder fleet = aFleet()
                .root("a").inventory("VCPU", 8).in("zone", "pool")
                .root("b").inventory("VCPU", 8)
                .root("nfs").inventory("DISK_GB", 100).sharing("pool");
        assertThat(lines(explained(fleet, "resources=VCPU:1,DISK_GB:200"))).containsExactly(
                "resources=VCPU:1 2 2", "resources=DISK_GB:200 0 0 capacity nfs");
        assertThat(lines(explained(fleet, "resources=VCPU:1,DISK_GB:50"))).containsExactly(
                "resources=VCPU:1 2 2", "resources=DISK_GB:50 2 1");
        String zone = uuidOf("zone").toString();
        assertThat(lines(explained(fleet, "resources=VCPU:1&member_of=" + zone)))
                .containsExactly("member_of=in:" + zone + " 1 1", "resources=VCPU:1 1 1");
        assertThat(lines(explained(fleet, "resources=VCPU:1&member_of=!" + zone)))
                .containsExactly("member_of=!in:" + zone + " 2 2", "resources=VCPU:1 1 1");
        String nowhere = uuidOf("nowhere").toString();
        assertThat(lines(explained(fleet, "resources=VCPU:1&in_tree=" + nowhere)))
                .containsExactly("in_tree=" + nowhere + " 0 0", "resources=VCPU:1 0 0");
    }
}
