package io.berth.scheduler.placement.inflight;

import static org.assertj.core.api.Assertions.assertThat;

import io.berth.scheduler.placement.candidate.AllocationCandidates;
import io.berth.scheduler.placement.candidate.AllocationRequest;
import io.berth.scheduler.placement.candidate.ProviderSummary;
import io.berth.scheduler.placement.candidate.RootCandidates;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Tests how claims in progress are counted against the candidates of concurrent requests. */
class ContendingRequestsTest {
    private final InFlightClaims underway = new InFlightClaims();
    private final ContendingRequests claimers = new ContendingRequests(underway);
    private final AllocationCandidates answer = new AllocationCandidates(List.of(host("a"), host("b")));
    private final AllocationRequest onA = answer.roots().get(0).requests().getFirst();

    /** A host with capacity for one instance. */
    private static RootCandidates host(String uuid) {
        return new RootCandidates(
                uuid,
                List.of(new ProviderSummary(uuid, uuid, Map.of("VCPU", new ProviderSummary.Usage(1, 0)), false)),
                List.of(new AllocationRequest(Map.of(uuid, Map.of("VCPU", 1L)), Map.of())));
    }

    @Test
    void hidesAHostThatIsBeingClaimedFromLaterRequests() {
        long queriedAt = underway.now();
        assertThat(claimers.charge("r1", answer, queriedAt)).isSameAs(answer);
        underway.begin(onA);
        assertThat(claimers.charge("r2", answer, queriedAt).roots()).containsExactly(host("b"));
        assertThat(claimers.end("r1")).isFalse();
        assertThat(claimers.end("r2")).isTrue();
    }

    @Test
    void concurrentRequestDetectsTheOtherClaimBeforeItsOwn() {
        long queriedAt = underway.now();
        claimers.charge("r1", answer, queriedAt);
        claimers.charge("r2", answer, queriedAt);
        assertThat(claimers.isCapacityTaken("r1", onA)).isFalse();
        var claim = underway.begin(onA);
        assertThat(claimers.isCapacityTaken("r2", onA)).isTrue();
        assertThat(claimers.end("r2")).isTrue();
        assertThat(claimers.isCapacityTaken("r2", onA)).as("after its end nothing is counted").isFalse();
        claim.endRefused();
        assertThat(claimers.isCapacityTaken("r1", onA)).isFalse();
        assertThat(claimers.end("r1")).isFalse();
    }

    @Test
    void ignoresClaimsThatTheResponseShows() {
        underway.begin(onA).endHolding();
        assertThat(claimers.charge("r", answer, underway.now())).isSameAs(answer);
        assertThat(claimers.isCapacityTaken("r", onA)).isFalse();
        assertThat(claimers.end("r")).isFalse();
    }

    @Test
    void countsOnBothResponsesOfARequestThatQueriesTwice() {
        long queriedAt = underway.now();
        claimers.charge("r", new AllocationCandidates(List.of(host("a"))), queriedAt);
        claimers.charge("r", new AllocationCandidates(List.of(host("b"))), underway.now());
        underway.begin(onA);
        assertThat(claimers.isCapacityTaken("r", onA)).isTrue();
    }

    @Test
    void countsNothingForRequestsAboveTheLimit() {
        long queriedAt = underway.now();
        for (int i = 0; i < ContendingRequests.REQUESTS_MAX; i++) {
            claimers.charge("r" + i, answer, queriedAt);
        }
        underway.begin(onA);
        assertThat(claimers.charge("late", answer, queriedAt)).isSameAs(answer);
        assertThat(claimers.isCapacityTaken("late", onA)).isFalse();
    }
}
