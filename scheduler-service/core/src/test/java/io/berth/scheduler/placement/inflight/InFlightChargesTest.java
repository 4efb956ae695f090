package io.berth.scheduler.placement.inflight;

import static org.assertj.core.api.Assertions.assertThat;

import io.berth.scheduler.placement.candidate.AllocationCandidates;
import io.berth.scheduler.placement.candidate.AllocationRequest;
import io.berth.scheduler.placement.candidate.ProviderSummary;
import io.berth.scheduler.placement.candidate.ProviderSummary.Usage;
import io.berth.scheduler.placement.candidate.ProviderTree;
import io.berth.scheduler.placement.candidate.RootCandidates;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Tests how claims in progress are added to the usage in candidates. */
class InFlightChargesTest {
    private static ProviderSummary summary(String uuid, String root, long capacity, long used, boolean sharing) {
        return new ProviderSummary(uuid, root, Map.of("VCPU", new Usage(capacity, used)), sharing);
    }

    private static AllocationRequest request(Map<String, Map<String, Long>> allocations) {
        return new AllocationRequest(allocations, Map.of());
    }

    private static RootCandidates host(String uuid, long capacity, long used) {
        return new RootCandidates(
                uuid,
                List.of(summary(uuid, uuid, capacity, used, false)),
                List.of(request(Map.of(uuid, Map.of("VCPU", 2L)))));
    }

    private static InFlightCharges charges(String provider, long vcpus) {
        return new InFlightCharges(Map.of(provider, Map.of("VCPU", vcpus)), List.of());
    }

    private final AllocationCandidates answer =
            new AllocationCandidates(List.of(host("a", 8, 0), host("b", 8, 4), host("c", 8, 0)));

    @Test
    void chargesClaimsAndReusesTheOtherTrees() {
        AllocationCandidates charged = charges("b", 2).addTo(answer);
        assertThat(charged.roots()).containsExactly(host("a", 8, 0), host("b", 8, 6), host("c", 8, 0));
        assertThat(charged.tree(0)).isSameAs(answer.tree(0));
        assertThat(charged.roots().get(1).requests()).isSameAs(answer.roots().get(1).requests());
    }

    @Test
    void returnsTheSameTreeForEqualCharges() {
        ProviderTree charged = charges("b", 2).addTo(answer).tree(1);
        assertThat(charges("b", 2).addTo(answer).tree(1)).isSameAs(charged);
        assertThat(charges("b", 1).addTo(answer).roots().get(1)).isEqualTo(host("b", 8, 5));
        assertThat(answer.roots().get(1)).isEqualTo(host("b", 8, 4));
    }

    @Test
    void countsTheClaimsOfEachTree() {
        var both = new InFlightCharges(
                Map.of("a", Map.of("VCPU", 2L), "b", Map.of("VCPU", 1L)),
                List.of(Set.of("a"), Set.of("a", "b"), Set.of("z")));
        AllocationCandidates charged = both.addTo(answer);
        assertThat(charged.tree(0).claims()).isEqualTo(2);
        assertThat(charged.tree(1).claims()).isOne();
        assertThat(charged.tree(2).claims()).isZero();
    }

    @Test
    void omitsHostsThatNoLongerFit() {
        assertThat(charges("b", 3).addTo(answer).roots()).containsExactly(host("a", 8, 0), host("c", 8, 0));
    }

    @Test
    void returnsTheOriginalIfNoCandidateWouldBeLeft() {
        AllocationCandidates one = new AllocationCandidates(List.of(host("b", 8, 4)));
        assertThat(charges("b", 4).addTo(one)).isSameAs(one);
    }

    @Test
    void returnsTheOriginalIfNoProviderIsCharged() {
        assertThat(charges("z", 4).addTo(answer)).isSameAs(answer);
        assertThat(new InFlightCharges(Map.of(), List.of()).addTo(answer)).isSameAs(answer);
    }

    @Test
    void reportsWhetherARequestStillFits() {
        var request = answer.roots().get(1).requests().getFirst();
        assertThat(charges("b", 2).leaveRoom(answer, request)).isTrue();
        assertThat(charges("b", 3).leaveRoom(answer, request)).isFalse();
        assertThat(charges("a", 9).leaveRoom(answer, request)).isTrue();
        assertThat(charges("b", 9).leaveRoom(AllocationCandidates.NONE, request)).isTrue();
    }

    @Test
    void keepsOneRequestOfATreeIfAnotherNoLongerFits() {
        var left = request(Map.of("n1", Map.of("VCPU", 2L)));
        var tree = new RootCandidates(
                "r",
                List.of(
                        summary("r", "r", 0, 0, false),
                        summary("n0", "r", 4, 2, false),
                        summary("n1", "r", 4, 2, false)),
                List.of(request(Map.of("n0", Map.of("VCPU", 2L))), left));
        AllocationCandidates charged = charges("n0", 1).addTo(new AllocationCandidates(List.of(tree)));
        assertThat(charged.roots().getFirst().requests()).containsExactly(left);
        assertThat(charged.roots().getFirst().tree().find("n0").resources()).isEqualTo(Map.of("VCPU", new Usage(4, 3)));
    }

    @Test
    void omitsHostsWhoseSharingProviderIsFull() {
        var onShared = request(Map.of("a", Map.of("VCPU", 2L), "s", Map.of("VCPU", 2L)));
        var onItself = request(Map.of("b", Map.of("VCPU", 2L)));
        var served = new RootCandidates("a", List.of(summary("a", "a", 8, 0, false)), List.of(onShared));
        var free = new RootCandidates("b", List.of(summary("b", "b", 8, 0, false)), List.of(onItself));
        var sharing = new RootCandidates("s", List.of(summary("s", "s", 4, 2, true)), List.of(onShared));
        var all = new AllocationCandidates(List.of(served, sharing, free));
        assertThat(charges("s", 1).addTo(all).roots()).containsExactly(free);
    }
}
