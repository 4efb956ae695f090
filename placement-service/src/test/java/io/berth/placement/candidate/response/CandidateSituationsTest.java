package io.berth.placement.candidate.response;

import static io.berth.placement.candidate.search.FleetBuilder.aFleet;
import static org.assertj.core.api.Assertions.assertThat;

import io.berth.placement.candidate.response.SearchTask.Outcome;
import io.berth.placement.fleet.FleetView;
import org.junit.jupiter.api.Test;

/** Runs large searches and limits their number of steps to about twice what was measured. */
class CandidateSituationsTest {
    private static SearchTask task(FleetView view, String query) {
        return Found.task(view, query, 100_000_000);
    }

    private static byte[] answer(FleetView view, String query) {
        return ((Outcome.Rendered) task(view, query).finish()).bytes().toByteArray();
    }

    /** Returns the response. Fails if it takes more than this number of steps, including preparation and summaries. */
    private static byte[] answerWithin(long steps, FleetView view, String query) {
        Outcome outcome = task(view, query).tryFor(steps);
        assertThat(outcome).as("%s within %d steps", query, steps).isInstanceOf(Outcome.Rendered.class);
        return ((Outcome.Rendered) outcome).bytes().toByteArray();
    }

    private static int count(byte[] json) {
        String text = new String(json, java.nio.charset.StandardCharsets.UTF_8);
        int count = 0;
        for (int at = text.indexOf("\"mappings\""); at >= 0; at = text.indexOf("\"mappings\"", at + 1)) {
            count++;
        }
        return count;
    }

    private static FleetView flat(int providers, int usedVcpus) {
        var fleet = aFleet();
        for (int i = 0; i < providers; i++) {
            fleet.root("cn" + i).used("VCPU", 64, usedVcpus).inventory("MEMORY_MB", 262_144).inventory("DISK_GB", 2_000)
                    .traits("HW_CPU_X86_AVX", "COMPUTE_NODE");
            if (i == providers - 1) {
                fleet.traits("CUSTOM_RARE");
            }
        }
        return fleet.view();
    }

    @Test
    void findsCandidatesAmong10000FlatProviders() {
        FleetView view = flat(10_000, 8);
        String query = "resources=VCPU:2,MEMORY_MB:2048,DISK_GB:20&required=COMPUTE_NODE&limit=1000";
        assertThat(count(answerWithin(40_000, view, query))).isEqualTo(1_000);
        assertThat(count(answerWithin(350, view, query.replace("=1000", "=10")))).isEqualTo(10);
    }

    @Test
    void searchesAFullFleetInFewSteps() {
        FleetView view = flat(10_000, 64);
        String query = "resources=VCPU:2,MEMORY_MB:2048,DISK_GB:20&limit=1000";
        assertThat(count(answerWithin(20, view, query))).isZero();
    }

    @Test
    void findsTheOnlyProviderWithBothTraits() {
        var fleet = aFleet();
        for (int i = 0; i < 10_000; i++) {
            fleet.root("cn" + i).inventory("VCPU", 64).traits(i % 2 == 0 ? "CUSTOM_EVEN" : "CUSTOM_ODD");
        }
        FleetView view = fleet.traits("CUSTOM_EVEN").view();
        assertThat(count(answerWithin(400, view, "resources=VCPU:2&required=CUSTOM_EVEN&required=CUSTOM_ODD")))
                .isEqualTo(1);
    }

    @Test
    void findsTheOnlyProviderWithARareTrait() {
        FleetView view = flat(10_000, 8);
        String query = "resources=VCPU:2,MEMORY_MB:2048,DISK_GB:20&required=CUSTOM_RARE&limit=1000";
        assertThat(count(answerWithin(40, view, query))).isEqualTo(1);
    }

    @Test
    void placesEightGroupsOnEightChildren() {
        var fleet = aFleet().root("cn");
        var query = new StringBuilder("group_policy=isolate");
        for (int i = 1; i <= 8; i++) {
            fleet.child("pf" + i).inventory("CUSTOM_VF", 8);
            query.append("&resources").append(i).append("=CUSTOM_VF:1");
        }
        FleetView view = fleet.view();
        assertThat(count(answerWithin(120_000, view, query + "&limit=1000"))).isEqualTo(1_000);
        assertThat(count(answer(view, query.toString()))).isEqualTo(40_320);
    }

    @Test
    void searchesATreeWith1000Children() {
        var fleet = aFleet().root("cn").inventory("VCPU", 64);
        for (int i = 0; i < 1_000; i++) {
            fleet.child("pf" + i).inventory("CUSTOM_VF", 8).inventory("CUSTOM_GPU", 8).inventory("CUSTOM_FPGA", 8);
            if (i == 999) {
                fleet.traits("CUSTOM_LAST");
            }
        }
        String query = "resources=VCPU:1,CUSTOM_VF:1,CUSTOM_GPU:1,CUSTOM_FPGA:1&required=CUSTOM_LAST&limit=100";
        FleetView view = fleet.view();
        assertThat(count(answerWithin(225_000, view, query))).isEqualTo(100);
    }

    @Test
    void searchesATreeOf200Levels() {
        var fleet = aFleet().root("cn").inventory("VCPU", 64);
        for (int i = 0; i < 200; i++) {
            fleet.child("level" + i).inventory("CUSTOM_VF", 1).under();
        }
        String query = "resources1=CUSTOM_VF:1&resources2=CUSTOM_VF:1&group_policy=isolate&same_subtree=1,2&limit=1000";
        FleetView view = fleet.view();
        assertThat(count(answerWithin(25_000, view, query))).isEqualTo(1_000);
    }

    @Test
    void findsCandidatesAmong10000HostsWithOneSharedDisk() {
        var fleet = aFleet();
        for (int i = 0; i < 10_000; i++) {
            fleet.root("cn" + i).inventory("VCPU", 64).in("rack" + i / 100);
        }
        fleet.root("nfs").inventory("DISK_GB", 1_000_000).sharing();
        for (int i = 0; i < 100; i++) {
            fleet.in("rack" + i);
        }
        FleetView view = fleet.view();
        assertThat(count(answerWithin(40_000, view, "resources=VCPU:1,DISK_GB:1&limit=1000"))).isEqualTo(1_000);
        assertThat(count(answerWithin(75_000, view, "resources=DISK_GB:1"))).isEqualTo(1);
    }
}
