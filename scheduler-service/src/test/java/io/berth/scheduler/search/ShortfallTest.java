package io.berth.scheduler.search;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.berth.scheduler.host.registry.snapshot.Registries;
import io.berth.scheduler.host.registry.snapshot.RegistrySnapshot;
import io.berth.scheduler.placement.CandidatesExplanation;
import io.berth.scheduler.placement.CandidatesExplanation.Demand;
import io.berth.scheduler.placement.CandidatesExplanation.Nearest;
import io.berth.scheduler.placement.CandidatesExplanation.Provider;
import io.berth.scheduler.request.Flavor;
import io.berth.scheduler.request.RequestSpec;
import io.berth.scheduler.request.demand.OutsideGroup;
import io.berth.scheduler.text.NoHostSentence;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Tests the sentence that explains why placement offers too few hosts. */
class ShortfallTest {
    private static final String UUID = "11111111-1111-4111-8111-111111111111";
    private static final String PORT = "22222222-2222-4222-8222-222222222222";

    private static Demand demand(String text, long alone, long left) {
        return new Demand(text, alone, alone, left, List.of(), null, null);
    }

    /** @param alone trees that meet it; none of them meets the rest */
    private static Demand amount(String text, long alone, long left, String obstacle) {
        Nearest nearest = new Nearest(new Provider(UUID, "host-1"), 4, 1, 2, 16, 8);
        return new Demand(text, alone, 0, left, List.of(), obstacle, obstacle.equals("no_inventory") ? null : nearest);
    }

    private static Shortfall shortfall(Demand... demands) {
        return Shortfall.of(new CandidatesExplanation(110, 0, List.of(demands), List.of()), RegistrySnapshot.EMPTY,
                request().build());
    }

    private static RequestSpec.Builder request() {
        return RequestSpec.of(new Flavor(1L, "small", "1", 1, 512, 0, 0, 0, Map.of()));
    }

    private static Shortfall shortfall(RequestSpec.Builder request, Demand... demands) {
        RegistrySnapshot registry = new Registries()
                .aggregate(UUID,
                        "{\"name\": \"agg-1\", \"metadata\": {\"availability_zone\": \"north\"}, \"hosts\": []}")
                .snapshot();
        return Shortfall.of(new CandidatesExplanation(110, 0, List.of(demands), List.of()), registry, request.build());
    }

    @Test
    void namesTheZoneThatTheRequestNames() {
        RequestSpec.Builder request = request().availabilityZone("north");
        Shortfall forced = shortfall(
                request.forceHosts(List.of("cmp1")), demand("in_tree=" + PORT, 1, 1),
                demand("member_of=in:" + UUID, 4, 0));
        assertThat(forced.text()).isEqualTo(
                "None of 110 hosts will do: force_hosts=cmp1 removed 109, availability_zone=north removed 1");
        assertThat(forced.tenantText()).isEqualTo(
                "None of 110 hosts will do: force_hosts removed 109, availability_zone=north removed 1");
        assertThat(forced.demands()).extracting(Demand::text).containsExactly("in_tree=" + PORT, "member_of=in:agg-1");
        assertThat(shortfall(request, demand("member_of=in:" + UUID, 0, 0)).text()).isEqualTo(
                "None of 110 hosts will do: availability_zone=north removed 110; no host is in zone north");
        assertThat(shortfall(request(), demand("member_of=in:" + UUID, 4, 0)).text())
                .contains("member_of=in:agg-1 removed");
    }

    @Test
    void namesThePortOfARequestGroup() {
        RequestSpec.Builder request = request().requestedResources(
                List.of(new OutsideGroup(PORT, Map.of(), Set.of("CUSTOM_A"), Set.of(), List.of(), null)));
        assertThat(shortfall(request, demand("required" + PORT + "=CUSTOM_A", 0, 0)).text()).isEqualTo(
                "None of 110 hosts will do: port " + PORT + ": required=CUSTOM_A removed 110; no host meets port "
                        + PORT
                        + ": required=CUSTOM_A");
    }

    @Test
    void countsTheHostsThatEachDemandRemoves() {
        Shortfall shortfall = shortfall(
                demand("required=CUSTOM_A", 40, 40),
                demand("root_required=!CUSTOM_B", 110, 40),
                amount("resources=VCPU:8", 5, 0, "capacity"),
                demand("resources=DISK_GB:1", 30, 0));
        assertThat(shortfall.text()).isEqualTo("None of 110 hosts will do: required=CUSTOM_A removed 70,"
                + " resources=VCPU:8 removed 40; needs 8 VCPU, the best provider that meets the rest, host-1, has 4"
                + " free");
        assertThat(shortfall.tenantText())
                .isEqualTo("None of 110 hosts will do: required=CUSTOM_A removed 70, resources=VCPU:8 removed 40");
        assertThat(shortfall.emptiedBy()).containsExactly("resources=VCPU:8");
        assertThat(shortfall.nearestReason())
                .isEqualTo("needs 8 VCPU, the best provider that meets the rest, host-1, has 4 free");
    }

    @Test
    void namesEachDemandThatNoProviderMeets() {
        Shortfall shortfall = shortfall(
                amount("resources=VCPU:32", 0, 0, "max_unit"),
                amount("resources=MEMORY_MB:1", 0, 0, "min_unit"),
                amount("resources1=VGPU:3", 0, 0, "step_size"),
                amount("resources1=PGPU:3", 0, 0, "no_inventory"),
                demand("resources=DISK_GB:1", 30, 0));
        assertThat(shortfall.text()).isEqualTo("None of 110 hosts will do: resources=VCPU:32 removed 110"
                + "; needs 32 VCPU, host-1 gives at most 16 at a time (max_unit)"
                + "; needs 1 MEMORY_MB, host-1 gives at least 2 at a time (min_unit)"
                + "; needs 3 VGPU, host-1 gives multiples of 8 only (step_size)"
                + "; needs 3 PGPU, no provider has any");
        assertThat(shortfall.emptiedBy()).hasSize(4);
    }

    @Test
    void distinguishesClassesOfOtherProvidersFromMissingClasses() {
        Shortfall shortfall = shortfall(
                demand("required=CUSTOM_X", 10, 10),
                amount("resources=VGPU:1", 5, 0, "no_inventory"),
                amount("resources=PGPU:1", 0, 0, "no_inventory"),
                amount("resources=VCPU:8", 0, 0, "capacity"));
        assertThat(shortfall.text())
                .isEqualTo("None of 110 hosts will do: required=CUSTOM_X removed 100, resources=VGPU:1 removed 10"
                        + "; needs 1 VGPU, no provider that meets the rest has any"
                        + "; needs 1 PGPU, no provider has any"
                        + "; needs 8 VCPU, the best provider host-1 has 4 free");
    }

    @Test
    void namesTheReservedAmountIfItWouldSuffice() {
        assertThat(shortfall(amount("resources=VCPU:5", 0, 0, "capacity")).text())
                .endsWith("; needs 5 VCPU, the best provider host-1 has 4 free, 1 reserved");
        assertThat(shortfall(amount("resources=VCPU:6", 0, 0, "capacity")).text()).endsWith(" has 4 free");
    }

    @Test
    void namesAMissingTraitAndNoAmountAfterIt() {
        Shortfall shortfall = shortfall(demand("required=CUSTOM_A", 0, 0), demand("resources=VCPU:8", 0, 0));
        assertThat(shortfall.text()).isEqualTo(
                "None of 110 hosts will do: required=CUSTOM_A removed 110; no host meets required=CUSTOM_A");
        assertThat(shortfall.emptiedBy()).containsExactly("required=CUSTOM_A");
        assertThat(shortfall.nearest()).isNull();
    }

    @Test
    void reportsDemandsThatAreMetSeparatelyButNotTogether() {
        assertThat(shortfall(demand("resources1=VGPU:1", 3, 3), demand("resources2=VGPU:1", 3, 3)).text())
                .isEqualTo("None of 110 hosts will do: resources1=VGPU:1 removed 107, 3 meet each demand, but not all"
                        + " of them together");
    }

    @Test
    void namesTheLargestRemovalsFirstAndSumsUpTheRest() {
        Shortfall shortfall = shortfall(
                demand("in_tree=host-1", 1, 109), demand("required=CUSTOM_A", 40, 40),
                demand("required=CUSTOM_B", 40, 38), demand("required=CUSTOM_C", 40, 30),
                demand("required=CUSTOM_D", 40, 29), demand("required=CUSTOM_E", 40, 0));
        assertThat(shortfall.text())
                .startsWith("None of 110 hosts will do: required=CUSTOM_A removed 69, required=CUSTOM_E removed"
                        + " 29, required=CUSTOM_C removed 8, required=CUSTOM_B removed 2, others removed 2");
        Shortfall one = shortfall(demand("in_tree=host-1", 1, 0));
        assertThat(one.text()).contains("host-1");
        assertThat(one.tenantText()).isEqualTo("None of 110 hosts will do: in_tree removed 110");
    }

    private static Shortfall withBlocked(long candidates, String obstacle, Demand... demands) {
        try {
            var blocked = new CandidatesExplanation.BlockedTree(
                    new Provider(UUID, "host-1"), List.of(new ObjectMapper().readTree(obstacle)));
            return Shortfall.of(
                    new CandidatesExplanation(3, candidates, List.of(demands), List.of(blocked)),
                    RegistrySnapshot.EMPTY, request().build());
        } catch (com.fasterxml.jackson.core.JsonProcessingException e) {
            throw new IllegalArgumentException(e);
        }
    }

    @Test
    void namesTheRuleThatPreventsDemandsFromBeingMetTogether() {
        Shortfall shortfall = withBlocked(
                0, """
                        {"by": "group_policy=isolate", "code": "isolated_groups_collide", "with": ["resources1=VF:1"],
                         "text": "group_policy=isolate: 2 groups need a provider each, 1 can serve them"}""",
                demand("resources1=VF:1", 3, 3), demand("resources2=VF:1", 3, 3));

        assertThat(shortfall.text())
                .isEqualTo("None of 3 hosts will do: 3 meet each demand, but not all of them together: "
                        + "group_policy=isolate: 2 groups need a provider each, 1 can serve them");
        assertThat(shortfall.tenantText()).endsWith("not all of them together: group_policy=isolate");
    }

    /** Complements a refusal by filters, which concerns only the offered hosts. */
    @Test
    void reportsOmittedHostsIfSomeHostsWereOffered() {
        Shortfall shortfall = withBlocked(
                1, "{\"by\": \"resources=VCPU:8\", \"code\": \"capacity\", \"text\": \"resources=VCPU:8: host-1: 4"
                        + " VCPU free, 8 are wanted\"}",
                demand("in_tree=host-1", 2, 2), demand("resources=VCPU:8", 1, 1));

        assertThat(shortfall.removed()).containsExactly(
                new NoHostSentence.Removed("in_tree=host-1", 1), new NoHostSentence.Removed("resources=VCPU:8", 1));
        assertThat(shortfall.tenantRemoved()).extracting(NoHostSentence.Removed::by)
                .containsExactly("in_tree", "resources=VCPU:8");
        assertThat(shortfall.nearestOmittedHost())
                .isEqualTo("host-1: resources=VCPU:8: host-1: 4 VCPU free, 8 are wanted");
    }
}
